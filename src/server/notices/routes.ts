import { NOTICE_EVENTS, TARGET_KINDS } from "../../domain/people/notice.ts";
import { addTarget, changeTarget, listTargets, removeTarget, testTarget } from "../../logbook/notices.ts";
import { route } from "../http/route.ts";
import { Type } from "typebox";
import { Id, IdParam, Ms, only, orNull, Text, words } from "../http/shapes.ts";

const own = { sessionOnly: true, notWhileImpersonating: true } as const;

const Events = Type.Array(words(NOTICE_EVENTS), { minItems: 1, maxItems: NOTICE_EVENTS.length });
const target = {
  id: Id,
  kind: words(TARGET_KINDS),
  host: Text,
  events: Events,
  createdAt: Ms,
  lastSentAt: orNull(Ms),
  problem: orNull(Text),
  waiting: Type.Integer(),
};
const TargetShape = only(target);

export const noticeRoutes = [
  route("GET /api/notices/targets", {
    name: "listNoticeTargets",
    summary: "List your notification targets",
    answer: only({ targets: Type.Array(TargetShape) }),
    handle: ({ app, asker }) => listTargets(app, asker),
  }),
  route("POST /api/notices/targets", {
    name: "addNoticeTarget",
    summary: "Add a webhook or an ntfy topic",
    description: "A webhook gets a key to check signatures with, which is shown only once.",
    ...own,
    confirmed: true,
    body: only({
      kind: words(TARGET_KINDS),
      url: Type.String({ maxLength: 1000 }),
      token: Type.Optional(orNull(Type.String({ maxLength: 1000 }))),
      events: Events,
    }),
    answer: only({ ...target, key: orNull(Text) }),
    status: 201,
    handle: ({ app, asker, body }) => addTarget(app, asker, body),
  }),
  route("PUT /api/notices/targets/:id", {
    name: "updateNoticeTarget",
    summary: "Choose the events of a notification target",
    ...own,
    params: IdParam,
    body: only({ events: Events }),
    answer: TargetShape,
    handle: ({ app, asker, params, body }) => changeTarget(app, asker, params.id, body.events),
  }),
  route("DELETE /api/notices/targets/:id", {
    name: "removeNoticeTarget",
    summary: "Remove a notification target",
    description: "Notices that wait for it are dropped.",
    ...own,
    params: IdParam,
    handle: ({ app, asker, params }) => removeTarget(app, asker, params.id),
  }),
  route("POST /api/notices/targets/:id/test", {
    name: "testNoticeTarget",
    summary: "Send a test notice",
    description: "502 if it does not arrive.",
    ...own,
    params: IdParam,
    answer: TargetShape,
    handle: ({ app, asker, params }) => testTarget(app, asker, params.id),
  }),
];

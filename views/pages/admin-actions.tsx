/** @jsxImportSource @kitajs/html */
import {
  describeAction,
  describeDetails,
  joinActing,
  VIA_WORDS,
  type ToldAction,
} from "../../src/domain/people/action-words.ts";
import { ACTION_WORDS, type AdminAction } from "../../src/domain/people/actor.ts";
import { Choice, Field } from "../form.tsx";
import { utc } from "../words.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { Segments } from "../partials/choices.tsx";
import { Table, type Column } from "../partials/table.tsx";
import { More } from "../partials/pager.tsx";
import { TEXTS } from "../texts/shared.ts";
import { ADMIN_TEXTS } from "../texts/admin.ts";
import { Card } from "../partials/card.tsx";

const WORDS = ADMIN_TEXTS.actions;

interface ActionsProps {
  actions: readonly AdminAction[];
  total: number;
  asked: Record<"admin" | "action" | "target" | "from" | "to", string>;
  next: string | null;
}

/** Everyday questions to the log, one click each. */
const KINDS = [
  ["", WORDS.everything],
  ["impersonate", WORDS.actedAs],
  ["promote", WORDS.promoted],
  ["demote", WORDS.demoted],
] as const;

/** The action log, newest first. */
export const Actions = ({ actions, total, asked, next }: ActionsProps) => (
  <AdminFrame tab="admin/actions">
    <Card name="actions" title={WORDS.count(total)}>
      <Segments
        label={WORDS.kinds}
        choices={KINDS.map(([action, words]) => ({
          words,
          href: action === "" ? "admin/actions" : `admin/actions?action=${action}`,
          isHere: asked.action === action,
        }))}
      />
      <form class="row" method="get" action="admin/actions" role="search">
        <Field form="find" name="admin" label={WORDS.administrator} value={asked.admin} maxlength={40} class="short" />
        <Choice
          form="find"
          name="action"
          label={WORDS.action}
          options={[["", WORDS.any], ...Object.entries(ACTION_WORDS)]}
          value={asked.action}
        />
        <Field form="find" name="target" label={WORDS.user} value={asked.target} maxlength={40} class="short" />
        <Field form="find" name="from" label={WORDS.from} type="date" value={asked.from} />
        <Field form="find" name="to" label={WORDS.to} type="date" value={asked.to} />
        <button id="find-go">{WORDS.show}</button>
      </form>
      {actions.length === 0 ? (
        <p class="empty">{WORDS.noMatch}</p>
      ) : (
        <Table caption={TEXTS.tables.actions} class="stack" columns={COLUMNS} rows={joinActing(actions)} />
      )}
      <More href={next && `admin/actions${next}`} words={WORDS.older} />
    </Card>
  </AdminFrame>
);

const COLUMNS: readonly Column<ToldAction>[] = [
  { head: WORDS.when, class: "when", text: ({ at }) => utc(at) },
  { head: WORDS.who, label: WORDS.who, text: ({ admin }) => admin },
  {
    head: WORDS.did,
    isName: true,
    class: "full",
    markup: (action) => (
      <b class={action.details.refused ? "bad-text" : undefined} safe>
        {describeAction(action)}
      </b>
    ),
  },
  { head: WORDS.how, label: WORDS.how, class: "muted", text: ({ via }) => VIA_WORDS[via] },
  { head: WORDS.details, class: "muted full detail", text: ({ details }) => describeDetails(details) },
];

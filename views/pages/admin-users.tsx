/** @jsxImportSource @kitajs/html */
import { LABELS } from "../../src/domain/origins/labels.ts";
import type { Pause } from "../../src/domain/jobs/auto-sync.ts";
import { STATE_WORDS } from "../../src/domain/jobs/job-words.ts";
import type { JobStatus } from "../../src/domain/jobs/sync-job.ts";
import type { User } from "../../src/domain/people/user.ts";
import { Choice, Done, Field, Form, NewPassword, Refusal, type Outcome } from "../form.tsx";
import type { Service } from "../../src/domain/jobs/source.ts";
import { Badge } from "../partials/badge.tsx";
import { day, fromNow, grouped, listed, utc } from "../words.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { AccountFields, NameFields } from "./new-account.tsx";
import { ACTIONS, Table } from "../partials/table.tsx";
import { More } from "../partials/pager.tsx";
import { TEXTS } from "../texts/shared.ts";
import { ADMIN_TEXTS } from "../texts/admin.ts";
import { Card } from "../partials/card.tsx";

const WORDS = ADMIN_TEXTS.users;

export interface ShownUser extends User {
  qsoCount: number;
  jobCount: number;
  lastJobAt: number | null;
  lastJobStatus: JobStatus | null;
  pausedServices: readonly { source: Service; reason: Pause }[];
}

interface UsersProps {
  users: readonly ShownUser[];
  total: number;
  /** The signed-in administrator. */
  ownId: number;
  asked: { q: string; sort: string; filter: string };
  /** The query of this page, kept by its actions. */
  here: string;
  next: string | null;
  now: number;
}

const SORTS = [
  ["username", WORDS.byName],
  ["-lastSeen", WORDS.seenFirst],
  ["lastSeen", WORDS.seenLast],
  ["-createdAt", WORDS.newest],
  ["createdAt", WORDS.oldest],
] as const;

const FILTERS = [
  ["", WORDS.all],
  ["failing", WORDS.failing],
] as const;

const ROLES = [
  ["user", WORDS.userRole],
  ["admin", WORDS.adminRole],
] as const;

/** Verb and username come from the address, so they are validated. */
const describeDone = (done: string | undefined): string | undefined => {
  const [, verb = "", name = ""] = /^([a-z]+)\.([a-z0-9._-]{2,32})$/.exec(done ?? "") ?? [];
  return Object.hasOwn(WORDS.done, verb) ? WORDS.done[verb]!(name) : undefined;
};

export const Users = (props: UsersProps & Outcome) => {
  const { users, total, asked, next, problem, done } = props;
  return (
    <AdminFrame tab="admin/users">
      <Card id="users" name="users" title={WORDS.count(total)}>
        <form class="row" method="get" action="admin/users" role="search">
          <Field form="find" name="q" label={WORDS.search} type="search" value={asked.q} maxlength={200} />
          <Choice form="find" name="sort" label={WORDS.order} options={SORTS} value={asked.sort} />
          <Choice form="find" name="filter" label={WORDS.show} options={FILTERS} value={asked.filter} />
          <button id="find-go">{WORDS.search}</button>
        </form>
        <Done words={describeDone(done)} />
        {users.length === 0 ? <p class="empty">{WORDS.noMatch}</p> : <UserTable {...props} />}
        <More href={next && `admin/users${next}`} words={WORDS.moreUsers} />
        <details id="invite" open={problem?.form === "invite-form"}>
          <summary id="invite-summary">{WORDS.invite}</summary>
          <Form form="invite-form" action={`admin/users/invite${props.here}`} problem={problem}>
            <p class="help">{WORDS.inviteNote}</p>
            <NameFields form="invite-form" problem={problem} />
            <Role form="invite-form" problem={problem} />
            <button class="primary" id="invite-make">
              {WORDS.createInvitation}
            </button>
          </Form>
        </details>
        <details id="new-user" open={problem?.form === "new-user-form"}>
          <summary id="new-user-summary">{WORDS.createAsk}</summary>
          <Form form="new-user-form" action={`admin/users${props.here}`} section="users" problem={problem}>
            <AccountFields form="new-user-form" problem={problem} />
            <Role form="new-user-form" problem={problem} />
            <button class="primary" id="new-user-make">
              {WORDS.create}
            </button>
          </Form>
        </details>
      </Card>
    </AdminFrame>
  );
};

const Role = ({ form, problem }: { form: string } & Outcome) => (
  <Choice form={form} name="role" label={WORDS.role} options={ROLES} value={problem?.values.role} />
);

type WithUser = UsersProps & Outcome & { user: ShownUser };

const UserTable = (props: UsersProps & Outcome) => (
  <Table
    caption={TEXTS.tables.users}
    class="stack users"
    rows={props.users}
    row={({ id }) => ({ id: `user-${id}` })}
    columns={[
      { head: WORDS.user, isName: true, class: "full", markup: (user) => <Name {...props} user={user} /> },
      {
        head: WORDS.role,
        markup: ({ isAdmin }) => (isAdmin ? <Badge kind="idle" icon="star" words={WORDS.adminRole} /> : WORDS.userRole),
      },
      {
        head: WORDS.lastSeen,
        label: WORDS.lastSeen,
        class: "when",
        markup: ({ lastSeen }) => (
          <span title={lastSeen === null ? undefined : WORDS.seenAt(utc(lastSeen))} safe>
            {lastSeen === null ? WORDS.never : fromNow(lastSeen, props.now)}
          </span>
        ),
      },
      { head: WORDS.qsos, label: WORDS.qsos, class: "num", text: ({ qsoCount }) => grouped(qsoCount) },
      { head: WORDS.jobs, label: WORDS.jobs, class: "num", text: ({ jobCount }) => grouped(jobCount) },
      {
        head: WORDS.lastJob,
        label: WORDS.lastJob,
        class: "when",
        markup: (user) => <LastJob user={user} now={props.now} />,
      },
      { head: WORDS.createdUtc, label: WORDS.created, class: "when", text: ({ createdAt }) => day(createdAt) },
      {
        ...ACTIONS,
        markup: (user) => (
          <>
            {(["promote", "demote", "impersonate"] as const).map((verb) => (
              <Refusal of={`${verb}-${user.id}`} problem={props.problem} />
            ))}
            <Actions {...props} user={user} />
          </>
        ),
      },
    ]}
  />
);

const Name = ({ user, ownId }: WithUser) => (
  <>
    <a href={`admin/users/${user.id}`} safe>
      {user.username}
    </a>{" "}
    <span class="call" safe>
      {user.callsign ?? ""}
    </span>{" "}
    {user.id === ownId && <span class="muted">{WORDS.you}</span>}
    {user.email !== null && (
      <small class="muted detail block" safe>
        {user.email}
      </small>
    )}
    <Paused user={user} />
  </>
);

const Paused = ({ user: { pausedServices } }: { user: ShownUser }) =>
  pausedServices.length === 0 ? (
    ""
  ) : (
    <small class="warn-text block" safe>
      {WORDS.paused(
        listed(
          pausedServices.map(
            ({ source, reason }) => `${LABELS[source]} (${reason === "credentials" ? WORDS.rejected : WORDS.notSetUp})`,
          ),
        ),
      )}
    </small>
  );

const LastJob = ({ user: { lastJobAt, lastJobStatus }, now }: { user: ShownUser; now: number }) =>
  lastJobAt === null ? (
    <span class="muted">{WORDS.none}</span>
  ) : (
    <span class={lastJobStatus === "failed" ? "bad-text" : undefined} safe>
      {`${STATE_WORDS[lastJobStatus!]}, ${fromNow(lastJobAt, now)}`}
    </span>
  );

/** Offers actions that may be allowed. The rules are checked when an action is submitted. */
const Actions = ({ user, ownId, here, problem }: WithUser) => {
  const { id, username, isAdmin } = user;
  const at = (verb: string) => `admin/users/${id}/${verb}${here}`;
  const isOpen = problem?.form === `delete-${id}` || problem?.form === `password-${id}`;
  return (
    <div class="user-actions">
      {isAdmin ? (
        <Question
          {...{ id, problem }}
          verb="demote"
          button={WORDS.demote}
          action={at("demote")}
          says={WORDS.demoteOne(username)}
          consequence={WORDS.demoteNote(username)}
        />
      ) : (
        <>
          <Question
            {...{ id, problem }}
            verb="promote"
            button={WORDS.promote}
            action={at("promote")}
            says={WORDS.promoteOne(username)}
            consequence={WORDS.promoteNote(username)}
          />
          <Question
            {...{ id, problem }}
            verb="impersonate"
            button={WORDS.actAs}
            action={at("impersonate")}
            says={WORDS.actAsOne(username)}
            consequence={WORDS.actAsNote(username)}
          />
        </>
      )}
      {id !== ownId && (
        <details class="small" open={isOpen} id={`more-${id}`}>
          <summary id={`more-${id}-summary`} aria-label={WORDS.moreAbout(username)}>
            {WORDS.more}
          </summary>
          <div class="more">
            <Form form={`password-${id}`} action={at("password")} section="users" problem={problem}>
              <NewPassword form={`password-${id}`} label={WORDS.newPassword(username)} problem={problem} />
              <button class="small-button" id={`password-${id}-set`}>
                {WORDS.setPassword}
              </button>
            </Form>
            {isAdmin ? (
              <p class="muted">{WORDS.demoteFirst}</p>
            ) : (
              <Form form={`delete-${id}`} action={at("delete")} section="users" problem={problem}>
                <Field form={`delete-${id}`} name="name" label={WORDS.typeName(username)} required problem={problem} />
                <button class="small-button danger" id={`delete-${id}-button`}>
                  {WORDS.delete}
                </button>
              </Form>
            )}
          </div>
        </details>
      )}
    </div>
  );
};

interface QuestionProps extends Outcome {
  id: number;
  verb: "promote" | "demote" | "impersonate";
  /** The words that open the question. */
  button: string;
  action: string;
  /** The verb and the user, on the button that answers it. */
  says: string;
  consequence: string;
}

/** Asks before an action, with what follows from it. */
const Question = ({ id, verb, button, action, says, consequence, problem }: QuestionProps) => {
  const form = `${verb}-${id}`;
  return (
    <details class="small" id={`${form}-question`} open={problem?.form === form}>
      <summary id={`${form}-ask`} aria-label={`${button} ${says}`} safe>
        {button}
      </summary>
      <form
        method="post"
        action={action}
        class="more"
        {...(verb === "impersonate" ? {} : { "hx-post": action, ...IN_TABLE })}
      >
        <p safe>{consequence}</p>
        <button class="small-button primary" id={form} safe>
          {says}
        </button>
      </form>
    </details>
  );
};

const IN_TABLE = { "hx-target": "#users", "hx-select": "#users", "hx-swap": "outerHTML" };

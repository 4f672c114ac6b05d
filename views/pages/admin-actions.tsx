/** @jsxImportSource @kitajs/html */
import {
  ACTION_WORDS,
  describeAction,
  describeDetails,
  joinActing,
  VIA_WORDS,
} from "../../src/domain/people/action-words.ts";
import type { AdminAction } from "../../src/domain/people/actor.ts";
import { Choice, Field } from "../form.tsx";
import { utc } from "../words.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { Segments } from "../partials/choices.tsx";
import { Caption } from "../partials/caption.tsx";
import { TEXTS } from "../texts/shared.ts";
import { ADMIN_TEXTS } from "../texts/admin.ts";

const WORDS = ADMIN_TEXTS.actions;

export interface ActionsProps {
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
    <section class="card" aria-labelledby="actions-title">
      <h2 id="actions-title" safe>
        {WORDS.count(total)}
      </h2>
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
      {actions.length === 0 ? <p class="empty">{WORDS.noMatch}</p> : <Table actions={actions} />}
      {next !== null && (
        <p>
          <a class="button" href={`admin/actions${next}`}>
            {WORDS.older}
          </a>
        </p>
      )}
    </section>
  </AdminFrame>
);

const Table = ({ actions }: Pick<ActionsProps, "actions">) => (
  <table class="stack">
    <Caption words={TEXTS.tables.actions} />
    <thead>
      <tr>
        <th scope="col">{WORDS.when}</th>
        <th scope="col">{WORDS.who}</th>
        <th scope="col">{WORDS.did}</th>
        <th scope="col">{WORDS.how}</th>
        <th scope="col">{WORDS.details}</th>
      </tr>
    </thead>
    <tbody>
      {joinActing(actions).map((action) => (
        <tr>
          <td class="when" safe>
            {utc(action.at)}
          </td>
          <td data-label={WORDS.who} safe>
            {action.admin}
          </td>
          <th scope="row" class="full">
            <b class={action.details.refused ? "bad-text" : undefined} safe>
              {describeAction(action)}
            </b>
          </th>
          <td class="muted" data-label={WORDS.how} safe>
            {VIA_WORDS[action.via]}
          </td>
          <td class="muted full detail" safe>
            {describeDetails(action.details)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

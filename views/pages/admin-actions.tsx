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
import { counted, utc } from "../words.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { Segments } from "../partials/choices.tsx";
import { Caption } from "../partials/caption.tsx";
import { TEXTS } from "../texts/shared.ts";

export interface ActionsProps {
  actions: readonly AdminAction[];
  total: number;
  asked: Record<"admin" | "action" | "target" | "from" | "to", string>;
  next: string | null;
}

/** Everyday questions to the log, one click each. */
const KINDS = [
  ["", "Everything"],
  ["impersonate", "Acted as a user"],
  ["promote", "Promoted"],
  ["demote", "Demoted"],
] as const;

/** The action log, newest first. */
export const Actions = ({ actions, total, asked, next }: ActionsProps) => (
  <AdminFrame tab="admin/actions">
    <section class="card" aria-labelledby="actions-title">
      <h2 id="actions-title" safe>
        {counted(total, "action")}
      </h2>
      <Segments
        label="Kind of action"
        choices={KINDS.map(([action, words]) => ({
          words,
          href: action === "" ? "admin/actions" : `admin/actions?action=${action}`,
          isHere: asked.action === action,
        }))}
      />
      <form class="row" method="get" action="admin/actions" role="search">
        <Field form="find" name="admin" label="Administrator" value={asked.admin} maxlength={40} class="short" />
        <Choice
          form="find"
          name="action"
          label="Action"
          options={[["", "any"], ...Object.entries(ACTION_WORDS)]}
          value={asked.action}
        />
        <Field form="find" name="target" label="User" value={asked.target} maxlength={40} class="short" />
        <Field form="find" name="from" label="From (UTC)" type="date" value={asked.from} />
        <Field form="find" name="to" label="To (UTC)" type="date" value={asked.to} />
        <button id="find-go">Show</button>
      </form>
      {actions.length === 0 ? <p class="empty">No actions match these filters.</p> : <Table actions={actions} />}
      {next === null ? (
        ""
      ) : (
        <p>
          <a class="button" href={`admin/actions${next}`}>
            Older actions
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
        <th scope="col">When (UTC)</th>
        <th scope="col">Who</th>
        <th scope="col">Did</th>
        <th scope="col">How</th>
        <th scope="col">Details</th>
      </tr>
    </thead>
    <tbody>
      {joinActing(actions).map((action) => (
        <tr>
          <td class="when" safe>
            {utc(action.at)}
          </td>
          <td data-label="Who" safe>
            {action.admin}
          </td>
          <th scope="row" class="full">
            <b class={action.details.refused ? "bad-text" : undefined} safe>
              {describeAction(action)}
            </b>
          </th>
          <td class="muted" data-label="How" safe>
            {VIA_WORDS[action.via]}
          </td>
          <td class="muted fill full detail" safe>
            {describeDetails(action.details)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

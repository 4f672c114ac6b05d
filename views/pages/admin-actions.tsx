/** @jsxImportSource @kitajs/html */
import { ACTION_WORDS, describeDetails, VIA_WORDS } from "../../src/domain/people/action-words.ts";
import type { AdminAction } from "../../src/domain/people/actor.ts";
import { Choice, Field } from "../form.tsx";
import { counted, utc } from "../words.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { Caption } from "../partials/caption.tsx";
import { TEXTS } from "../texts.ts";

export interface ActionsProps {
  actions: readonly AdminAction[];
  total: number;
  asked: Record<"admin" | "action" | "target" | "from" | "to", string>;
  next: string | null;
}

/** The action log, newest first. */
export const Actions = ({ actions, total, asked, next }: ActionsProps) => (
  <AdminFrame tab="admin/actions">
    <section class="card" aria-labelledby="actions-title">
      <h2 id="actions-title" safe>
        {counted(total, "action")}
      </h2>
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
        <th scope="col">Administrator</th>
        <th scope="col">Action</th>
        <th scope="col">User</th>
        <th scope="col">Via</th>
        <th scope="col">Details</th>
      </tr>
    </thead>
    <tbody>
      {actions.map(({ at, admin, via, action, target, details }) => (
        <tr>
          <td class="when" safe>
            {utc(at)}
          </td>
          <td data-label="By" safe>
            {admin}
          </td>
          <th scope="row" class="nowrap" data-label="Action">
            <span safe>{ACTION_WORDS[action] ?? action}</span>
            {details.refused ? <b class="bad-text"> refused</b> : ""}
          </th>
          <td data-label="User" safe>
            {target ?? "–"}
          </td>
          <td class="muted" data-label="Via" safe>
            {VIA_WORDS[via]}
          </td>
          <td class="muted fill full detail" safe>
            {describeDetails(details)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** @jsxImportSource @kitajs/html */
import { DASHBOARD_TEXTS } from "../texts/dashboard.ts";
import { Icon } from "./icon.tsx";

export interface Decision {
  kind: "bad" | "wait";
  title: string;
  reason: string;
  actions: JSX.Element;
}

/** What needs a decision, a line each. Nothing is shown if there is nothing to decide. */
export const ToDo = ({ decisions }: { decisions: readonly Decision[] }) =>
  decisions.length === 0 ? (
    ""
  ) : (
    <section class="to-do" aria-labelledby="to-do-title">
      <h2 id="to-do-title" class="hidden">
        {DASHBOARD_TEXTS.board.toDo}
      </h2>
      <ul>
        {decisions.map(({ kind, title, reason, actions }) => (
          <li class={kind}>
            <Icon name={kind === "bad" ? "cross" : "warning"} />
            <p>
              <b safe>{title}</b> <span safe>{reason}</span>
            </p>
            <div class="buttons">{actions as "safe"}</div>
          </li>
        ))}
      </ul>
    </section>
  );

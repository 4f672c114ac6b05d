/** @jsxImportSource @kitajs/html */
import type { Outcome } from "../form.tsx";
import { Board, type BoardProps } from "../partials/board.tsx";

interface Props extends BoardProps {
  name: string;
  /** Of the log; nothing while it is empty. */
  charts: JSX.Element;
}

export const Dashboard = ({ name, charts, ...board }: Props & Outcome) => (
  <>
    <div class="head">
      <h1>
        Log of{" "}
        <span class="mono" safe>
          {name}
        </span>
      </h1>
    </div>
    {board.statistics.total === 0 ? <FirstSteps /> : ""}
    <Board {...board} />
    {charts as "safe"}
  </>
);

const FirstSteps = () => (
  <section class="card" aria-labelledby="first-steps">
    <h2 id="first-steps">An empty log</h2>
    <p>
      Set up <a href="settings">a service</a> and sync, or <a href="log#import">import an ADIF file</a>. Syncs can run
      by schedule, and each can be looked into and taken back.
    </p>
  </section>
);

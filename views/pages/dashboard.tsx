/** @jsxImportSource @kitajs/html */
import type { Outcome } from "../form.tsx";
import { Live } from "../partials/live.tsx";
import { Board, LogAtAGlance, type BoardProps } from "../partials/board.tsx";

interface Props extends BoardProps {
  name: string;
  /** Empty for an empty log. */
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
    <Live />
    <Board {...board} />
    <LogAtAGlance charts={charts} />
  </>
);

/** @jsxImportSource @kitajs/html */
import { Icon } from "../partials/icon.tsx";
import { Live } from "../partials/live.tsx";
import { Board, Now, type BoardProps } from "../partials/board.tsx";
import { DASHBOARD_TEXTS } from "../texts/dashboard.ts";

const WORDS = DASHBOARD_TEXTS.page;

interface Props extends BoardProps {
  name: string;
  /** What is new, the last contacts and the nearest goals. Empty for an empty log. */
  glance: JSX.Element;
  /** Empty for an empty log. */
  charts: JSX.Element;
}

export const Dashboard = ({ name, glance, charts, ...board }: Props) => (
  <>
    <div class="head">
      <h1>
        {board.wasEmpty ? WORDS.welcome : WORDS.logOf}{" "}
        <span class="mono" safe>
          {name}
        </span>
      </h1>
      {!board.wasEmpty && (
        <a class="button" href="log/import">
          <Icon name="plus" /> {WORDS.import}
        </a>
      )}
    </div>
    <Live />
    <Now {...board} />
    <Part id="glance">{glance as "safe"}</Part>
    <Board {...board} />
    <Part id="charts">{charts as "safe"}</Part>
  </>
);

/** In an update of the board, a part replaces the one on the page. */
export const Part = ({ id, isAnew = false, children }: { id: string; isAnew?: boolean; children: JSX.Element }) => (
  <div id={id} class="board" hx-swap-oob={isAnew ? "outerMorph" : undefined}>
    {children as "safe"}
  </div>
);

/** @jsxImportSource @kitajs/html */
import type { Progress } from "../../src/domain/awards/award.ts";
import type { QsoView } from "../../src/domain/contact/qso-view.ts";
import { PLACE_WORDS } from "../../src/domain/jobs/job-words.ts";
import type { NewsSince, Places } from "../../src/domain/jobs/gains.ts";
import { Goal } from "../charts/meter.tsx";
import { day, fromNow, listed, utc } from "../words.ts";
import { Badge, type BadgeKind } from "./badge.tsx";
import { BAND_COLUMN, marksColumn, MODE_COLUMN } from "./contacts/qso-story.tsx";
import { Table } from "./table.tsx";
import { DASHBOARD_TEXTS } from "../texts/dashboard.ts";
import { Card } from "./card.tsx";
import { CallLink } from "./contacts/call-link.tsx";

const WORDS = DASHBOARD_TEXTS.glance;

type NamedPlaces = Omit<Places, "entities"> & { entities: readonly { label: string }[] };

interface RecentNews {
  since: number;
  jobs: readonly { worked: NamedPlaces; confirmed: NamedPlaces }[];
}

interface GlanceProps {
  awards: readonly Progress[];
  contacts: readonly QsoView[];
  /** What jobs newly brought in the last month. */
  recent: RecentNews;
  /** What jobs brought since the last visit. */
  news: NewsSince | null;
  now: number;
}

/** What is new, the last contacts and the nearest goals. */
export const Glance = (props: GlanceProps) => (
  <div class="glance">
    <WhatIsNew {...props} />
    <LastContacts {...props} />
    <Goals {...props} />
  </div>
);

const KINDS = Object.keys(PLACE_WORDS) as (keyof typeof PLACE_WORDS)[];
const MAX_NAMES = 3;
const MAX_LINES = 5;

interface NewLine {
  badge: BadgeKind;
  kind: string;
  names: string;
}

const listNew = (recent: RecentNews, level: "worked" | "confirmed"): NewLine[] =>
  KINDS.flatMap((kind) => {
    const names = new Set(
      recent.jobs.flatMap((job): string[] =>
        kind === "entities" ? job[level].entities.map(({ label }) => label) : job[level][kind].map(String),
      ),
    );
    if (names.size === 0) return [];
    const [one, many] = PLACE_WORDS[kind];
    const word = names.size === 1 ? one : many;
    const isNewEntity = level === "worked" && kind === "entities";
    return {
      badge: isNewEntity ? "new" : level === "worked" ? "slot" : "good",
      kind: level === "worked" ? WORDS.new(word) : WORDS.confirmed(word),
      names: shorten([...names]),
    };
  });

const shorten = (names: readonly string[]): string =>
  names.length > MAX_NAMES + 1
    ? WORDS.andMore(names.slice(0, MAX_NAMES).join(", "), names.length - MAX_NAMES)
    : listed(names);

const WhatIsNew = ({ recent, news, now }: GlanceProps) => {
  const lines = [...listNew(recent, "worked"), ...listNew(recent, "confirmed")].slice(0, MAX_LINES);
  const visit = news === null ? "" : describeVisit(news);
  return (
    <Card name="new" title={WORDS.since(day(recent.since))}>
      {lines.length === 0 && visit === "" && <p class="empty">{WORDS.nothingNew}</p>}
      <ul class="news">
        {lines.map(({ badge, kind, names }) => (
          <li>
            <Badge kind={badge} words={kind} /> <b safe>{names}</b>
          </li>
        ))}
      </ul>
      {visit !== "" && (
        <p>
          <span class="muted" safe>
            {WORDS.lastVisit(fromNow(news!.since, now))}
          </span>{" "}
          <span safe>{visit}</span>
        </p>
      )}
    </Card>
  );
};

const describeVisit = ({ added, confirmed, updated }: NewsSince): string => {
  const parts = [
    ...(added > 0 ? [WORDS.added(added)] : []),
    ...(confirmed > 0 ? [WORDS.newlyConfirmed(confirmed)] : []),
    ...(updated > 0 ? [WORDS.updated(updated)] : []),
  ];
  return parts.length === 0 ? "" : `${listed(parts)}.`;
};

const LastContacts = ({ contacts, now }: GlanceProps) => (
  <Card name="last" title={WORDS.last} beside={<a href="log">{WORDS.openLog}</a>}>
    <div class="last-contacts">
      <Table
        caption={WORDS.last}
        isHeadHidden
        rows={contacts}
        row={({ id }) => ({ id: `last-${id}` })}
        columns={[
          {
            head: WORDS.callsign,
            isName: true,
            markup: ({ id, call }) => <CallLink id={id} call={call} isRow />,
          },
          {
            head: WORDS.when,
            class: "when muted",
            markup: ({ startedAt }) => (
              <time datetime={new Date(startedAt).toISOString()} safe>
                {day(startedAt) === day(now) ? utc(startedAt).slice(-5) : day(startedAt)}
              </time>
            ),
          },
          BAND_COLUMN,
          MODE_COLUMN,
          marksColumn(),
        ]}
      />
    </div>
  </Card>
);

const MAX_GOALS = 4;

/** The awards that are closest to their next step, in shares of it. */
const findNearest = (awards: readonly Progress[]) =>
  awards
    .flatMap(({ id, label, worked, confirmed, goal, next }) => {
      if (next === null || worked === 0 || confirmed >= next) return [];
      const from = goal !== null && goal < next && confirmed >= goal ? goal : 0;
      const name = goal !== null && next !== goal ? `${label} ${next}` : label;
      return { name, href: `awards/${id}`, confirmed, worked, goal: next, from };
    })
    .sort((a, b) => (b.confirmed - b.from) / (b.goal - b.from) - (a.confirmed - a.from) / (a.goal - a.from))
    .slice(0, MAX_GOALS);

const Goals = ({ awards }: GlanceProps) => {
  const goals = findNearest(awards);
  if (goals.length === 0) return "";
  return (
    <Card name="goals" title={WORDS.goals} beside={<a href="awards">{WORDS.allAwards}</a>}>
      {goals.map((goal) => (
        <Goal {...goal} />
      ))}
    </Card>
  );
};

/** @jsxImportSource @kitajs/html */
import { LABELS } from "../../src/domain/origins/labels.ts";
import { Live, reloads, WHEN_CHANGED } from "../partials/live.tsx";
import type { AsOf } from "../../src/kernel/time-text.ts";
import type { QsoView } from "../../src/domain/contact/qso-view.ts";
import { listChips, listCompletions } from "../../src/domain/contact/search-words.ts";
import { EXPORT_FORMATS } from "../../src/domain/contact/export-formats.ts";
import { SERVICES } from "../../src/domain/jobs/source.ts";
import { Check, Done, Refusal, type Outcome } from "../form.tsx";
import { findColumns, LOG_COLUMNS, type LogColumn } from "../partials/contacts/log-columns.ts";
import { Band } from "../partials/contacts/band.tsx";
import { AsOfField, Past, Silent } from "../partials/contacts/past.tsx";
import { counted, grouped, utc } from "../words.ts";
import { LOG_TEXTS as WORDS } from "../texts/log.ts";
import { Icon } from "../partials/icon.tsx";
import { Marks } from "../partials/contacts/qso-story.tsx";
import { DEFAULT_LIMIT } from "../../src/domain/contact/qso-filter.ts";
import { Pager } from "../partials/pager.tsx";
import { Caption } from "../partials/table.tsx";
import { TEXTS } from "../texts/shared.ts";
import { contactAt } from "../partials/contacts/call-link.tsx";

interface LogProps {
  qsos: readonly QsoView[];
  total: number;
  withoutContacts: readonly string[] | undefined;
  search: string;
  sort: string;
  /** Filters that the search does not contain, and the day for a past log. */
  others: Readonly<Record<string, string>>;
  /** The cursor of this page, unless it is the first. */
  place: Readonly<Record<string, string>>;
  /** The position of the page's first contact; null if the address does not say it. */
  first: number | null;
  past: AsOf | undefined;
  columns: readonly string[];
  next: string | null;
  previous: string | null;
}

type Asked = Pick<LogProps, "search" | "sort" | "others">;

const NEWEST_FIRST = "-startedAt";

/** The path of the log with this search. */
const logAt = ({ search, sort, others }: Asked, more: Readonly<Record<string, string>> = {}): string => {
  const query = new URLSearchParams({
    ...(search === "" ? {} : { search }),
    ...others,
    ...(sort === NEWEST_FIRST ? {} : { sort }),
    ...more,
  });
  return query.size > 0 ? `log?${query}` : "log";
};

/** An element elsewhere on the page that is updated together with the results. */
const FOLLOWS = { "hx-swap-oob": "outerMorph" };

/** With JavaScript the link replaces the results and the page's address. */
const live = (address: string) => ({
  href: address,
  "hx-get": address,
  "hx-target": "#results",
  "hx-select": "#results",
  "hx-swap": "outerMorph show:top",
  "hx-push-url": "true",
});

/** The same for links that change the search text: the search form is replaced too and keeps the focus. */
const liveSearch = (address: string) => ({
  href: address,
  "hx-get": address,
  "hx-target": "#find",
  "hx-select": "#find",
  "hx-swap": "outerHTML",
  "hx-select-oob": "#results:outerMorph",
  "hx-push-url": "true",
  "data-then": "find-search",
});

/** The panel takes the focus when it opens, but not when it shows another contact. */
const TAKES_FOCUS = { autofocus: true };

export const Log = (props: LogProps & Outcome) => {
  // The first page has no cursor, so that it shows contacts that are added later.
  const here = logAt(props, props.previous === null ? {} : props.place);
  return (
    <>
      <a class="skip" id="to-contacts" href={`${here}#rows`} {...FOLLOWS}>
        {WORDS.skip}
      </a>
      <div class="head">
        <div class="log-title">
          <h1>{WORDS.log}</h1>
          <Count {...props} />
        </div>
        <div class="buttons acts" id="acts" {...FOLLOWS}>
          <a class="button" href="log/import">
            {WORDS.import}
          </a>
          <ExportMenu {...props} />
          <More {...props} />
        </div>
      </div>
      <Done words={props.done === "deleted" ? WORDS.deleted : undefined} />
      <Live />
      <section class="card log-card" aria-label={WORDS.qsos}>
        <Finder {...props} />
        <Kept {...props} />
        <Found {...props} here={here} />
        <Columns chosen={props.columns} here={here} />
      </section>
      <aside id="panel" popover="auto" tabindex="-1" {...TAKES_FOCUS} aria-label={WORDS.panel}></aside>
    </>
  );
};

/** Which contacts of how many the page shows. */
const Count = ({ first, qsos, total }: Pick<LogProps, "first" | "qsos" | "total">) => (
  <p class="muted" id="found-count" data-say={counted(total, "QSO")} {...FOLLOWS} safe>
    {first === null || qsos.length === total
      ? counted(total, "QSO")
      : WORDS.range(grouped(first), grouped(first + qsos.length - 1), grouped(total))}
  </p>
);

const filtersOf = ({ search, others }: Asked): Record<string, string> => ({
  ...(search === "" ? {} : { search }),
  ...others,
});

/** Exports all matching contacts. */
const ExportMenu = (asked: Asked) => (
  <details class="menu" id="export">
    <summary class="button">{WORDS.export}</summary>
    <ul class="plain">
      {formatsFor(isOfContest(asked)).map(([format, label]) => (
        <li>
          <a href={`api/qsos/export?${new URLSearchParams({ ...filtersOf(asked), format })}`}>{label}</a>
        </li>
      ))}
    </ul>
  </details>
);

/** Rare tools. Their counts are loaded when the menu opens. A past log cannot be changed. */
const More = ({ past, ...asked }: Asked & Pick<LogProps, "past">) => {
  const query = new URLSearchParams(filtersOf(asked)).toString();
  return (
    <details class="menu" id="log-tools">
      <summary class="button">{WORDS.more}</summary>
      <ul class="plain">
        {past === undefined && (
          <li>
            <a href={query === "" ? "repair" : `repair?${query}`}>{WORDS.bulkEdit}</a>
          </li>
        )}
        <LogTools />
      </ul>
    </details>
  );
};

interface LogToolsProps {
  counts?: { duplicates: number; unresolved: number };
}

/**
 * The tools that clean up the log, with the number of contacts that need them. Comparing a large log with the services
 * takes seconds, so that number follows.
 */
export const LogTools = ({ counts }: LogToolsProps) => (
  <li
    id="log-tool-counts"
    {...(counts ? {} : { "hx-get": "log/tools", "hx-trigger": "toggle from:#log-tools once", "hx-swap": "outerHTML" })}
  >
    <ul class="plain">
      <Tool href="duplicates" words={WORDS.duplicates} count={counts?.duplicates} />
      <Tool href="reconcile" words={WORDS.compare} countFrom={counts && "log/tools/differences"} />
      <Tool href="reconcile?class=leftovers" words={WORDS.unresolved} count={counts?.unresolved} />
    </ul>
  </li>
);

const Tool = ({ href, words, ...of }: { href: string; words: string } & ToolCountProps) => (
  <li>
    <a href={href}>
      <span safe>{words}</span> <ToolCount {...of} />
    </a>
  </li>
);

interface ToolCountProps {
  count?: number | undefined;
  /** The path of the number, if it follows later. */
  countFrom?: string | undefined;
}

export const ToolCount = ({ count, countFrom }: ToolCountProps) => (
  <small {...(countFrom ? { "hx-get": countFrom, "hx-trigger": "load", "hx-swap": "outerHTML" } : {})} safe>
    {count === undefined ? "" : grouped(count)}
  </small>
);

const isOfContest = ({ search, others }: Asked): boolean => /\bcontest:/i.test(search) || others.contest !== undefined;

/** Cabrillo is only for contests. */
const formatsFor = (isOfContest: boolean) =>
  Object.entries(EXPORT_FORMATS).filter(([format]) => format !== "cabrillo" || isOfContest);

/** Searches while typing. */
const Finder = ({ search, others }: LogProps) => (
  <form
    class="finder"
    id="find"
    method="get"
    action="log"
    role="search"
    hx-get="log"
    hx-trigger="input delay:200ms, submit"
    hx-target="#results"
    hx-select="#results"
    hx-swap="outerMorph"
    hx-sync="this:replace"
    hx-replace-url="true"
  >
    <div class="finder-line">
      <input
        type="search"
        id="find-search"
        name="search"
        list="find-completions"
        data-key="/"
        value={search}
        aria-label={WORDS.searchLabel}
        placeholder={WORDS.searchHint}
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        maxlength={1000}
      />
      <button id="find-go">{WORDS.searchGo}</button>
    </div>
    <div class="finder-more">
      <details id="find-help">
        <summary>{WORDS.searchHelp}</summary>
        <dl class="facts small">
          <Hint example="20m 40m · ft8 usb · phone" meaning={WORDS.helpBands} />
          <Hint example="k1* · dxcc:japan · state:tx,ca" meaning={WORDS.helpCalls} />
          <Hint example="2024 · 2024-05 · 2023..2024" meaning={WORDS.helpTimes} />
          <Hint
            example={`confirmed · unconfirmed · ${SERVICES.map((service) => `by:${LABELS[service].toLowerCase()}`).join(" · ")} · by:card`}
            meaning={WORDS.helpConfirmed}
          />
          <Hint
            example={SERVICES.flatMap((service) => [`not:${LABELS[service].toLowerCase()}`]).join(" · ")}
            meaning={WORDS.helpServices}
          />
          <Hint example="name:hans · qth:bremen · grid:jo31 · comment:antenna" meaning={WORDS.helpFields} />
          <Hint example="station:… · contest:…" meaning={WORDS.helpStation} />
          <Hint example={WORDS.helpAnything} meaning={WORDS.helpRest} />
        </dl>
      </details>
      <details id="find-past" open={others.asOf !== undefined}>
        <summary>{WORDS.pastDates}</summary>
        <AsOfField form="find" asked={others.asOf ?? ""} />
      </details>
    </div>
  </form>
);

const Hint = ({ example, meaning }: { example: string; meaning: string }) => (
  <>
    <dt class="mono" safe>
      {example}
    </dt>
    <dd safe>{meaning}</dd>
  </>
);

/** The search form's hidden values and suggestions. */
const Kept = ({ search, sort, others }: Asked) => (
  <div id="find-kept" hidden {...FOLLOWS}>
    <datalist id="find-completions">
      {listCompletions(search).map((words) => (
        <option value={words}></option>
      ))}
    </datalist>
    {Object.entries({ ...others, ...(sort === NEWEST_FIRST ? {} : { sort }) })
      .filter(([name]) => name !== "asOf")
      .map(([name, value]) => (
        <input type="hidden" form="find" name={name} value={value} />
      ))}
  </div>
);

const Found = (props: LogProps & Outcome & { here: string }) => {
  const { qsos, withoutContacts, past, problem } = props;
  return (
    <div id="results" class="results" {...reloads(props.here, WHEN_CHANGED)} hx-select="#results" data-quiet="">
      <Refusal of="find" problem={problem} />
      <Chips {...props} />
      <Past of={past} />
      <Silent stations={withoutContacts} />
      {qsos.length > 0 ? (
        <>
          <Table {...props} />
          {!past && <Chosen />}
        </>
      ) : withoutContacts || problem ? (
        ""
      ) : (
        <Nothing {...props} />
      )}
      <Paging {...props} />
    </div>
  );
};

const Nothing = ({ search, others }: Asked) =>
  search === "" && Object.keys(others).length === 0 ? (
    <p class="empty">
      {WORDS.empty} <a href="log/add">{WORDS.addQso}</a>, <a href="log/import">{WORDS.importFile}</a>
      {WORDS.emptyOr} <a href="settings">{WORDS.setUpService}</a> {WORDS.emptyEnd}
    </p>
  ) : (
    <p class="empty">
      {WORDS.noMatch} <a {...liveSearch("log")}>{WORDS.showAll}</a>.
    </p>
  );

const Chips = (asked: Asked) => {
  const { search, others } = asked;
  const without = (name: string) => Object.fromEntries(Object.entries(others).filter(([other]) => other !== name));
  const chips = [
    ...listChips(search).map(({ words, without }) => ({ words, to: logAt({ ...asked, search: without }) })),
    ...Object.entries(others).map(([name, value]) => ({
      words: `${name === "asOf" ? WORDS.asOf : name} ${value}`,
      to: logAt({ ...asked, others: without(name) }),
    })),
  ];
  return chips.length === 0 ? (
    ""
  ) : (
    <ul class="chosen-chips" aria-label={WORDS.filters}>
      {chips.map(({ words, to }) => (
        <li class="chip">
          <span safe>{words}</span>{" "}
          <a {...liveSearch(to)} aria-label={WORDS.without(words)}>
            ×
          </a>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <a id="find-clear" {...liveSearch("log")}>
            {WORDS.clear}
          </a>
        </li>
      )}
    </ul>
  );
};

const Table = (props: LogProps) => {
  const columns = findColumns(props.columns);
  return (
    <div class="scroll">
      <table class="log">
        <Caption words={TEXTS.tables.log} />
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">{WORDS.selectHead}</span>
            </th>
            <Heading label={WORDS.start} sort="startedAt" asked={props} />
            <Heading label={WORDS.callsign} sort="call" asked={props} />
            <Heading label={WORDS.band} sort="band" asked={props} />
            <Heading label={WORDS.mode} sort="mode" asked={props} />
            {columns.map(({ label, sort }) => (
              <Heading label={label} sort={sort} asked={props} />
            ))}
            <th scope="col" class="num">
              {WORDS.confirmedBy}
            </th>
          </tr>
        </thead>
        <tbody
          id="rows"
          tabindex="-1"
          hx-target:inherited="#panel"
          hx-swap:inherited="innerHTML"
          hx-sync:inherited="#panel:replace"
        >
          {props.qsos.map((qso) => (
            <Row qso={qso} columns={columns} asOf={props.others.asOf} />
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** Clicking again reverses the order. Times start with the newest. */
const Heading = ({ label, sort, asked }: { label: string; sort: string | undefined; asked: Asked }) => {
  if (!sort) {
    return (
      <th scope="col" safe>
        {label}
      </th>
    );
  }
  const direction = asked.sort === sort ? "ascending" : asked.sort === `-${sort}` ? "descending" : undefined;
  const first = sort === "startedAt" ? "-startedAt" : sort;
  const turned = direction === "ascending" ? `-${sort}` : sort;
  return (
    <th scope="col" aria-sort={direction}>
      <a id={`sort-${sort}`} {...live(logAt({ ...asked, sort: direction ? turned : first }))}>
        <span safe>{label}</span>
        {direction !== undefined && <span aria-hidden="true">{direction === "ascending" ? " ▲" : " ▼"}</span>}
      </a>
    </th>
  );
};

interface RowProps {
  qso: QsoView;
  columns: readonly LogColumn[];
  asOf: string | undefined;
}

const Row = ({ qso, columns, asOf }: RowProps) => {
  const when = utc(qso.startedAt);
  const how = [qso.band, qso.submode ?? qso.mode].filter(Boolean).join(" ");
  return (
    <tr id={`qso-${qso.id}`}>
      <td class="choose">
        <input
          type="checkbox"
          form="chosen"
          name="id"
          value={String(qso.id)}
          aria-label={WORDS.select(qso.call, when)}
          data-row-key="x"
        />
      </td>
      <td class="when">
        <time safe>{when}</time>
      </td>
      <th scope="row" class="call-cell">
        <a
          class="call"
          data-row=""
          href={contactAt(qso.id, asOf)}
          aria-label={[qso.call, how, when].filter(Boolean).join(", ")}
          safe
        >
          {qso.call}
        </a>{" "}
        <span class="muted" safe>
          {qso.name ?? ""}
        </span>
        <button
          type="button"
          class="open"
          tabindex="-1"
          data-row-key="o"
          popovertarget="panel"
          popovertargetaction="show"
          hx-get={contactAt(qso.id, asOf, "/panel")}
          aria-label={WORDS.preview(qso.call)}
          title={WORDS.previewHint}
        >
          <Icon name="panel" />
        </button>
      </th>
      <td class="band-cell">{qso.band === null ? "–" : <Band band={qso.band} />}</td>
      <td class="mode-cell" safe>
        {qso.submode ?? qso.mode ?? "–"}
      </td>
      {columns.map(({ name, of }) => (
        <td class={name === "entity" ? "fill entity-cell" : "more-cell muted"} safe>
          {of(qso)}
        </td>
      ))}
      <td class="num mark-cell">
        <Marks qso={qso} />
      </td>
    </tr>
  );
};

/** Appears when the first row is selected. */
const Chosen = () => (
  <form id="chosen" class="chosen row" method="get" action="log/chosen" aria-label={WORDS.selection}>
    <b id="selected-count">{WORDS.selected}</b>
    <select id="chosen-format" name="format" aria-label={WORDS.format}>
      {formatsFor(false).map(([format, label]) => (
        <option value={format}>{label}</option>
      ))}
    </select>
    <button name="act" value="export">
      {WORDS.export}
    </button>
    <button name="act" value="repair">
      {WORDS.edit}
    </button>
    <button name="act" value="delete">
      {WORDS.delete}
    </button>
    <button type="reset" class="quiet">
      {WORDS.clear}
    </button>
  </form>
);

/** The address carries the position, because a cursor does not know it. */
const positionAt = (first: number | null): Record<string, string> => (first === null ? {} : { first: String(first) });

const Paging = ({ next, previous, first, qsos, ...asked }: LogProps) => {
  const before = first && Math.max(1, first - DEFAULT_LIMIT);
  const after = first && first + qsos.length;
  return (
    <Pager
      label={WORDS.pages}
      previous={previous === null ? null : live(logAt(asked, { before: previous, ...positionAt(before) }))}
      next={next === null ? null : live(logAt(asked, { cursor: next, ...positionAt(after) }))}
    />
  );
};

const Columns = ({ chosen, here }: { chosen: readonly string[]; here: string }) => (
  <details id="columns" {...FOLLOWS}>
    <summary>{WORDS.columns}</summary>
    <form method="post" action={here.replace(/^log/, "log/columns")}>
      <div class="checks">
        {LOG_COLUMNS.map(({ name, label }) => (
          <Check form="column" name={name} label={label} checked={chosen.includes(name)} />
        ))}
      </div>
      <button>{WORDS.showColumns}</button>
    </form>
  </details>
);

/** @jsxImportSource @kitajs/html */
import { contactAt } from "../addresses.ts";
import { Live, reloads, WHEN_CHANGED } from "../partials/live.tsx";
import { WITNESSES, type Witness } from "../../src/domain/awards/award.ts";
import { describeWitness } from "../../src/domain/awards/award-words.ts";
import { getMarks } from "../../src/domain/contact/marks.ts";
import type { AsOf } from "../../src/kernel/time-text.ts";
import type { QsoView } from "../../src/domain/contact/qso-view.ts";
import { listChips, listCompletions } from "../../src/domain/contact/search-words.ts";
import { EXPORT_FORMATS } from "../../src/domain/contact/export-formats.ts";
import { SERVICES, type Labels } from "../../src/domain/jobs/source.ts";
import { Refusal, type Outcome } from "../form.tsx";
import { findColumns, LOG_COLUMNS, type LogColumn } from "../partials/log-columns.ts";
import { Band } from "../partials/band.tsx";
import { Mark } from "../partials/mark.tsx";
import { formatTypedMoment } from "../../src/kernel/time-text.ts";
import { AsOfField, Past } from "../partials/past.tsx";
import { Silent } from "../partials/silent.tsx";
import { capitalise, counted } from "../words.ts";
import { Caption } from "../partials/caption.tsx";
import { TEXTS } from "../texts.ts";

export interface LogProps {
  qsos: readonly QsoView[];
  total: number;
  withoutContacts: readonly string[] | undefined;
  search: string;
  sort: string;
  /** Filters that the search does not contain, and the day for a past log. */
  others: Readonly<Record<string, string>>;
  /** The cursor of this page, unless it is the first. */
  place: Readonly<Record<string, string>>;
  past: AsOf | undefined;
  columns: readonly string[];
  next: string | null;
  previous: string | null;
  labels: Labels;
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

export const Log = ({ labels, problem, done, columns, ...found }: LogProps & Outcome) => {
  const { search, sort, others } = found;
  const asked = { search, sort, others };
  // The first page has no cursor, so that it shows contacts that are added later.
  const here = logAt(asked, found.previous === null ? {} : found.place);
  return (
    <>
      <a class="skip" id="to-contacts" href={`${here}#rows`} {...FOLLOWS}>
        Skip to contacts
      </a>
      <div class="head">
        <h1>Log</h1>
        <div class="buttons acts" id="acts" {...FOLLOWS}>
          <a class="button" href="log/import">
            Import
          </a>
          <Acts asked={asked} isPast={found.past !== undefined} />
          <a class="button" href="duplicates">
            Duplicates
          </a>
          <a class="button" href="reconcile">
            Compare
          </a>
        </div>
      </div>
      {done === "deleted" ? (
        <p class="done" data-say="">
          QSO deleted. Syncs will not add it again.
        </p>
      ) : (
        ""
      )}
      <Live />
      <section class="card log-card" aria-label="QSOs">
        <Finder asked={asked} labels={labels} />
        <Kept asked={asked} />
        <Found {...found} asked={asked} here={here} columns={findColumns(columns)} labels={labels} problem={problem} />
        <Columns chosen={columns} here={here} />
      </section>
      <aside id="panel" popover="auto" tabindex="-1" {...TAKES_FOCUS} aria-label="Contact preview"></aside>
    </>
  );
};

/** Actions for all matching contacts. A past log cannot be changed. */
const Acts = ({ asked: { search, others }, isPast }: { asked: Asked; isPast: boolean }) => {
  const words = { ...(search === "" ? {} : { search }), ...others };
  const query = new URLSearchParams(words).toString();
  return (
    <>
      <form class="row" id="export" method="get" action="api/qsos/export" aria-label="Export">
        {Object.entries(words).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <FormatChoice id="export-format" isOfContest={/\bcontest:/i.test(search) || others.contest !== undefined} />
        <button>Export</button>
      </form>
      {isPast ? (
        ""
      ) : (
        <a class="button" href={query === "" ? "repair" : `repair?${query}`}>
          Bulk edit
        </a>
      )}
    </>
  );
};

/** Cabrillo is only for contests. */
const FormatChoice = ({ id, isOfContest }: { id: string; isOfContest: boolean }) => (
  <select id={id} name="format" aria-label="Format">
    {Object.entries(EXPORT_FORMATS)
      .filter(([format]) => format !== "cabrillo" || isOfContest)
      .map(([format, label]) => (
        <option value={format}>{label}</option>
      ))}
  </select>
);

/** Searches while typing. */
const Finder = ({ asked: { search, others }, labels }: { asked: Asked; labels: Labels }) => (
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
        aria-label="Search the log"
        placeholder="20m ft8 dxcc:japan 2024 k1*"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        maxlength={1000}
      />
      <button id="find-go">Search</button>
    </div>
    <div class="finder-more">
      <details id="find-help">
        <summary>Search help</summary>
        <dl class="facts small">
          <Hint words="20m 40m · ft8 usb · phone" meaning="bands, modes, mode groups" />
          <Hint words="k1* · dxcc:japan · state:tx,ca" meaning="callsigns, entities by name or number, states" />
          <Hint words="2024 · 2024-05 · 2023..2024" meaning="a year, month, day or range" />
          <Hint
            words={`confirmed · unconfirmed · ${SERVICES.map((service) => `by:${labels[service].toLowerCase()}`).join(" · ")} · by:card`}
            meaning="confirmed by"
          />
          <Hint
            words={SERVICES.flatMap((service) => [`not:${labels[service].toLowerCase()}`]).join(" · ")}
            meaning="not yet on this service; at: already on it"
          />
          <Hint words="station:… · contest:…" meaning="station callsign, contest" />
          <Hint words='anything else · "20m"' meaning="text in callsign, name, QTH, comment and grid square" />
        </dl>
      </details>
      <details id="find-past" open={others.asOf !== undefined}>
        <summary>Past dates</summary>
        <AsOfField form="find" asked={others.asOf ?? ""} />
      </details>
    </div>
  </form>
);

const Hint = ({ words, meaning }: { words: string; meaning: string }) => (
  <>
    <dt class="mono" safe>
      {words}
    </dt>
    <dd safe>{meaning}</dd>
  </>
);

/** The search form's hidden values and suggestions. */
const Kept = ({ asked: { search, sort, others } }: { asked: Asked }) => (
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

interface FoundProps extends Omit<LogProps, "columns" | "search" | "sort" | "others" | "place"> {
  asked: Asked;
  here: string;
  columns: readonly LogColumn[];
}

const Found = ({
  qsos,
  total,
  withoutContacts,
  asked,
  here,
  columns,
  next,
  previous,
  past,
  labels,
  problem,
}: FoundProps & Outcome) => (
  <div id="results" class="results" {...reloads(here, WHEN_CHANGED)} hx-select="#results">
    <Refusal of="find" problem={problem} />
    <div class="found">
      <p class="muted" role="status" safe>
        {counted(total, "QSO")}
      </p>
      <Chips asked={asked} />
    </div>
    <Past of={past} />
    <Silent stations={withoutContacts} />
    {qsos.length > 0 ? (
      <>
        <Table qsos={qsos} columns={columns} asked={asked} labels={labels} />
        {past ? "" : <Chosen />}
      </>
    ) : withoutContacts || problem ? (
      ""
    ) : (
      <Nothing asked={asked} />
    )}
    <Paging asked={asked} next={next} previous={previous} />
  </div>
);

const Nothing = ({ asked: { search, others } }: { asked: Asked }) =>
  search === "" && Object.keys(others).length === 0 ? (
    <p class="empty">
      The log is empty. <a href="log/add">Add a QSO</a>, <a href="log/import">import a file</a>, or{" "}
      <a href="settings">set up a service</a> and sync it.
    </p>
  ) : (
    <p class="empty">
      No QSOs match. Remove part of the search, or <a {...liveSearch("log")}>show all</a>.
    </p>
  );

const Chips = ({ asked }: { asked: Asked }) => {
  const { search, others } = asked;
  const without = (name: string) => Object.fromEntries(Object.entries(others).filter(([other]) => other !== name));
  const chips = [
    ...listChips(search).map(({ words, without }) => ({ words, to: logAt({ ...asked, search: without }) })),
    ...Object.entries(others).map(([name, value]) => ({
      words: `${name} ${value}`,
      to: logAt({ ...asked, others: without(name) }),
    })),
  ];
  return chips.length === 0 ? (
    ""
  ) : (
    <ul class="chosen-chips" aria-label="Search filters">
      {chips.map(({ words, to }) => (
        <li class="chip">
          <span safe>{words}</span>{" "}
          <a {...liveSearch(to)} aria-label={`Without ${words}`}>
            ×
          </a>
        </li>
      ))}
      {chips.length > 1 ? (
        <li>
          <a id="find-clear" {...liveSearch("log")}>
            Clear
          </a>
        </li>
      ) : (
        ""
      )}
    </ul>
  );
};

type TableProps = Pick<FoundProps, "qsos" | "columns" | "asked" | "labels">;

const Table = ({ qsos, columns, asked, labels }: TableProps) => (
  <div class="scroll">
    <table class="log">
      <Caption words={TEXTS.tables.log} />
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden">Select</span>
          </th>
          <Heading label="Start (UTC)" sort="startedAt" asked={asked} />
          <Heading label="Callsign" sort="call" asked={asked} />
          <Heading label="Band" sort="band" asked={asked} />
          <Heading label="Mode" sort="mode" asked={asked} />
          {columns.map(({ label, sort }) => (
            <Heading label={label} sort={sort} asked={asked} />
          ))}
          {WITNESSES.map((witness) => (
            <th scope="col" class="num" safe>
              {witnessName(witness, labels)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody
        id="rows"
        tabindex="-1"
        hx-target:inherited="#panel"
        hx-swap:inherited="innerHTML"
        hx-sync:inherited="#panel:replace"
      >
        {qsos.map((qso) => (
          <Row qso={qso} columns={columns} asOf={asked.others.asOf} labels={labels} />
        ))}
      </tbody>
    </table>
  </div>
);

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
        {direction ? <span aria-hidden="true">{direction === "ascending" ? " ▲" : " ▼"}</span> : ""}
      </a>
    </th>
  );
};

interface RowProps {
  qso: QsoView;
  columns: readonly LogColumn[];
  asOf: string | undefined;
  labels: Labels;
}

const Row = ({ qso, columns, asOf, labels }: RowProps) => {
  return (
    <tr id={`qso-${qso.id}`}>
      <td class="choose">
        <input
          type="checkbox"
          id={`choose-${qso.id}`}
          form="chosen"
          name="id"
          value={String(qso.id)}
          aria-label={`Choose ${qso.call}`}
          data-row-key="x"
        />
      </td>
      <td class="when" safe>
        {formatTypedMoment(qso.startedAt)}
      </td>
      <th scope="row" class="call-cell nowrap">
        <a class="call" data-row="" href={contactAt(qso.id, asOf)} safe>
          {qso.call}
        </a>{" "}
        <button
          type="button"
          class="open"
          data-row-key="o"
          popovertarget="panel"
          popovertargetaction="show"
          hx-get={contactAt(qso.id, asOf, "/panel")}
          aria-label={`Preview ${qso.call}`}
        >
          ›
        </button>
      </th>
      <td class="band-cell">{qso.band === null ? "–" : <Band band={qso.band} />}</td>
      <td class="mode-cell" safe>
        {qso.submode ?? qso.mode ?? "–"}
      </td>
      {columns.map(({ name, of }) => (
        <td class={name === "entity" ? "fill detail entity-cell" : "more-cell muted"} safe>
          {of(qso)}
        </td>
      ))}
      {WITNESSES.map((witness) => (
        <td class="num mark-cell" data-label={witnessName(witness, labels)}>
          <Mark of={getMarks(qso)[witness]} name={witnessName(witness, labels)} />
        </td>
      ))}
    </tr>
  );
};

const witnessName = (witness: Witness, labels: Labels): string => capitalise(describeWitness(witness, labels));

/** Appears when the first row is chosen. */
const Chosen = () => (
  <form id="chosen" class="chosen row" method="get" action="log/chosen" aria-label="Selected contacts">
    <span>Selected:</span>
    <FormatChoice id="chosen-format" isOfContest={false} />
    <button name="act" value="export">
      Export
    </button>
    <button name="act" value="repair">
      Bulk edit…
    </button>
    <button type="reset" class="quiet">
      Clear selection
    </button>
  </form>
);

const Paging = ({ asked, next, previous }: Pick<FoundProps, "asked" | "next" | "previous">) =>
  next === null && previous === null ? (
    ""
  ) : (
    <nav class="pager" aria-label="Pages of the log">
      {previous === null ? (
        <span></span>
      ) : (
        <a id="page-previous" class="button" rel="prev" data-key="[" {...live(logAt(asked, { before: previous }))}>
          Previous
        </a>
      )}
      {next === null ? (
        ""
      ) : (
        <a id="page-next" class="button" rel="next" data-key="]" {...live(logAt(asked, { cursor: next }))}>
          Next
        </a>
      )}
    </nav>
  );

const Columns = ({ chosen, here }: { chosen: readonly string[]; here: string }) => (
  <details id="columns" {...FOLLOWS}>
    <summary>Columns</summary>
    <form method="post" action={here.replace(/^log/, "log/columns")}>
      <div class="checks">
        {LOG_COLUMNS.map(({ name, label }) => (
          <label class="check" for={`column-${name}`}>
            <input type="checkbox" id={`column-${name}`} name={name} value="on" checked={chosen.includes(name)} />
            <span safe>{label}</span>
          </label>
        ))}
      </div>
      <button>Show columns</button>
    </form>
  </details>
);

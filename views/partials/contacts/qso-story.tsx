/** @jsxImportSource @kitajs/html */
import { LABELS } from "../../../src/domain/origins/labels.ts";
import type { PropsWithChildren } from "@elysiajs/html";
import { WITNESSES } from "../../../src/domain/awards/award.ts";
import { describeWitness } from "../../../src/domain/awards/award-words.ts";
import { getMarks } from "../../../src/domain/contact/marks.ts";
import { listFacts, type OwnFacts } from "../../../src/domain/contact/qso-facts.ts";
import { computeWay } from "../../../src/domain/radio/maidenhead.ts";
import { getCountyName } from "../../../src/domain/radio/us-states.ts";
import { describeField, describeValue } from "../../../src/domain/jobs/job-words.ts";
import type { QsoView } from "../../../src/domain/contact/qso-view.ts";
import type { Source } from "../../../src/domain/jobs/source.ts";
import {
  describeRecordedSince,
  describeSpeaker,
  describeOriginWithoutJob,
  type Speaker,
} from "../../../src/domain/contact/why.ts";
import { describeQsoState, type QsoStateKind } from "../../../src/domain/contact/qso-state.ts";
import { megahertz } from "../../../src/kernel/number-text.ts";
import { LOG_TEXTS as WORDS } from "../../texts/log.ts";
import { capitalise, grouped, utc } from "../../words.ts";
import { Band } from "./band.tsx";
import { Fold, Lead } from "../lead.tsx";
import { Mark } from "./mark.tsx";
import { formatTypedMoment, type AsOf } from "../../../src/kernel/time-text.ts";
import { Past } from "./past.tsx";
import { Table, type Column } from "../table.tsx";
import { SlotMatrix, type Slot } from "./slot-matrix.tsx";
import { TEXTS } from "../../texts/shared.ts";

const OWN_FACTS: OwnFacts = {
  startedAt: ({ startedAt }) => [[WORDS.startFact, `${formatTypedMoment(startedAt)} UTC`]],
  endedAt: ({ endedAt }) => [[WORDS.end, endedAt === null ? null : `${formatTypedMoment(endedAt)} UTC`]],
  freqHz: ({ freqHz }) => [[WORDS.frequency, freqHz === null ? null : megahertz(freqHz)]],
  mode: ({ mode, submode }) => [[WORDS.mode, [mode, submode].filter(Boolean).join(" / ")]],
  rstSent: ({ rstSent, rstRcvd }) => [[WORDS.rst, WORDS.reports(rstSent, rstRcvd)]],
  operator: () => [],
  name: ({ name, qth }) => [[WORDS.nameQth, [name, qth].filter(Boolean).join(", ")]],
  qth: () => [],
  gridsquare: (qso) => [
    [WORDS.grid, qso.gridsquare],
    [WORDS.distance, describeWay(computeWay(qso))],
  ],
  state: (qso) => [[WORDS.stateCounty, [qso.state, getCountyName(qso)].filter(Boolean).join(", ")]],
  county: () => [],
  dxcc: ({ entity, dxcc }) => [[WORDS.entity, entity === null ? null : `${entity} (${dxcc})`]],
  cqZone: ({ cqZone, ituZone }) => [
    [WORDS.zones, [cqZone && `CQ ${cqZone}`, ituZone && `ITU ${ituZone}`].filter(Boolean).join(", ")],
  ],
  ituZone: () => [],
  propMode: () => [],
  txPower: () => [],
};

const describeWay = (way: ReturnType<typeof computeWay>): string | null =>
  way && WORDS.way(grouped(way.km), way.degrees);

/** The details of a contact, each with its label above it. */
export const QsoFacts = ({ qso }: { qso: QsoView }) => (
  <dl class="contact-facts">
    {listFacts(qso, OWN_FACTS)
      .filter(([, value]) => value)
      .map(([name, value]) => (
        <div>
          <dt safe>{name}</dt>
          <dd safe>{String(value)}</dd>
        </div>
      ))}
  </dl>
);

interface FieldOrigin {
  field: string;
  value: unknown;
  by: Speaker;
  jobId: number | null;
  at: number | null;
}

export interface ContactStory {
  qso: QsoView;
  history: readonly { jobId: number; source: Source; kind: "added" | "updated" | "deleted"; at: number }[];
  why: { fields: readonly FieldOrigin[]; entityRule: string | null; since: number | null };
  /** The newest contacts with the same call, and their number. */
  others: readonly QsoView[];
  othersTotal: number;
  /** The state of each mode on each band with this call. */
  slots: readonly Slot[];
}

interface Props {
  story: ContactStory;
}

const LEADS = { confirmed: "good", waiting: "wait", missing: "info", differs: "bad" } as const;

/** Whether a contact is confirmed, what it counts for, and otherwise why not and what to do. */
export const Verdict = ({ qso, of }: { qso: QsoView; of?: "h2" | "p" }) => {
  const { kind, verdict, details, next } = describeQsoState(qso);
  return (
    <Lead kind={LEADS[kind]} title={verdict} of={of} action={<VerdictAction kind={kind} id={qso.id} />}>
      <p safe>{[...details, next].filter(Boolean).join(" ")}</p>
    </Lead>
  );
};

const VerdictAction = ({ kind, id }: { kind: QsoStateKind; id: number }) =>
  kind === "missing" ? (
    <a class="button" href={`api/qsos/export?id=${id}`}>
      {WORDS.upload}
    </a>
  ) : kind === "differs" ? (
    <a class="button" href={`log/${id}#edit`}>
      {WORDS.edit}
    </a>
  ) : (
    ""
  );

/** Name and place of the other station. */
export const describeStation = ({ name, qth, state }: QsoView): string => [name, qth, state].filter(Boolean).join(", ");

const Glance = ({ qso, children }: PropsWithChildren<{ qso: QsoView }>) => (
  <div class="panel-body">
    <div class="head">
      <h2>
        <span class="call" safe>
          {qso.call}
        </span>{" "}
        <span class="muted" safe>
          {describeStation(qso)}
        </span>
      </h2>
      <button type="button" class="quiet" popovertarget="panel" popovertargetaction="hide">
        {WORDS.close}
      </button>
    </div>
    <p>
      {qso.band !== null && <Band band={qso.band} />} <span safe>{qso.submode ?? qso.mode ?? ""}</span>{" "}
      <span class="mono" safe>{`${formatTypedMoment(qso.startedAt)} UTC`}</span>
    </p>
    <Verdict qso={qso} of="p" />
    <QsoFacts qso={qso} />
    {children as "safe"}
  </div>
);

/** A contact as of a past day, next to that day's list. */
export const PastPanel = ({ past }: { past: QsoView & { asOf?: AsOf } }) => (
  <Glance qso={past}>
    <Past of={past.asOf} />
    <p class="buttons">
      <a class="button" href={`log/${past.id}`}>
        {WORDS.current}
      </a>
    </p>
  </Glance>
);

/** A contact's summary next to the list. */
export const QsoPanel = ({ story }: Props) => (
  <Glance qso={story.qso}>
    <h3 safe>{WORDS.withCall(story.othersTotal + 1, story.qso.call)}</h3>
    <WithCall story={story} />
    <Fold summary={WORDS.history}>
      <History story={story} />
    </Fold>
    <p class="buttons">
      <a class="button primary" href={`log/${story.qso.id}`}>
        {WORDS.open}
      </a>
      <a class="button" href={`log/${story.qso.id}#edit`}>
        {WORDS.edit}
      </a>
    </p>
  </Glance>
);

const KINDS = {
  added: WORDS.addedBy,
  updated: WORDS.changedBy,
  deleted: WORDS.deletedBy,
} as const;

/** The jobs that changed a contact. */
export const History = ({ story: { qso, history, why } }: Props) => (
  <>
    {history.length === 0 ? (
      <p class="muted" safe>
        {describeOriginWithoutJob(qso, new Set(why.fields.map(({ by }) => by)))}
      </p>
    ) : (
      <ul class="plain">
        {history.map(({ jobId, source, kind, at }) => (
          <li>
            <span safe>{`${utc(at)} UTC: `}</span>
            <a href={`jobs/${jobId}`} safe>
              {WORDS.historyJob(LABELS[source], jobId)}
            </a>{" "}
            {KINDS[kind]}
          </li>
        ))}
      </ul>
    )}
  </>
);

/** What every witness says about a contact, as one cell. */
export const Marks = ({ qso }: { qso: QsoView }) => (
  <span class="marks">
    {WITNESSES.map((witness) => (
      <Mark
        of={getMarks(qso)[witness]}
        name={capitalise(describeWitness(witness))}
        missing={witness === "card" ? WORDS.noneRecorded : undefined}
      />
    ))}
  </span>
);

interface OfOneCallProps {
  contacts: readonly QsoView[];
  /** The contact that the page shows. */
  here?: number;
}

export const BAND_COLUMN: Column<QsoView> = {
  head: WORDS.band,
  class: "band-cell",
  markup: ({ band }) => (band === null ? "" : <Band band={band} />),
};

export const MODE_COLUMN: Column<QsoView> = {
  head: WORDS.mode,
  class: "mode-cell",
  text: ({ submode, mode }) => submode ?? mode ?? "",
};

export const marksColumn = (): Column<QsoView> => ({
  head: WORDS.confirmedBy,
  class: "num mark-cell",
  markup: (qso) => <Marks qso={qso} />,
});

/** Contacts with one call, newest first. */
export const OfOneCall = ({ contacts, here }: OfOneCallProps) => (
  <Table
    caption={TEXTS.tables.log}
    class="of-one-call"
    isHeadHidden
    rows={contacts}
    row={({ id }) => ({ "aria-current": id === here ? "true" : undefined })}
    columns={[
      {
        head: WORDS.start,
        isName: true,
        markup: ({ id, startedAt }) => (
          <a class="mono" href={`log/${id}`} safe>
            {utc(startedAt)}
          </a>
        ),
      },
      BAND_COLUMN,
      MODE_COLUMN,
      marksColumn(),
    ]}
  />
);

/** This contact and the newest others with its call, and the bands and modes worked. */
export const WithCall = ({ story: { qso, others, othersTotal, slots } }: Props) => {
  const here = { band: qso.band, mode: qso.submode ?? qso.mode };
  return (
    <>
      <SlotMatrix caption={WORDS.byBand(qso.call)} slots={slots} here={here} />
      <OfOneCall contacts={[qso, ...others].toSorted((a, b) => b.startedAt - a.startedAt)} here={qso.id} />
      {othersTotal !== 0 && (
        <p>
          <a href={`log?search=${encodeURIComponent(`call:${qso.call}`)}`}>{WORDS.inLog}</a>
        </p>
      )}
    </>
  );
};

/** The sources of a contact's values, each with their number. */
export const countSources = ({ why }: ContactStory): string =>
  [...Map.groupBy(why.fields, ({ by }) => by)]
    .map(([by, { length }]) => `${length} ${by === "typed" || by === "derived" ? "" : "from "}${describeSpeaker(by)}`)
    .join(", ");

/** The origin of each field, and the job or day that brought it. A column without any value is left out. */
export const Why = ({ story: { why } }: Props) => {
  const isDated = why.fields.some(({ at, jobId }) => at !== null || jobId !== null);
  const since: Column<FieldOrigin> = {
    head: WORDS.sinceColumn,
    markup: ({ at, jobId }) => (
      <>
        <span safe>{at === null ? "" : utc(at)}</span>
        {jobId !== null && (
          <a href={`jobs/${jobId}`} safe>
            {WORDS.job(jobId)}
          </a>
        )}
      </>
    ),
  };
  return (
    <>
      <Table
        caption={TEXTS.tables.values}
        class="diff values"
        rows={why.fields}
        columns={[
          { head: WORDS.field, isName: true, text: ({ field }) => describeField(field) },
          { head: WORDS.value, text: ({ field, value }) => describeValue(field, value) },
          { head: WORDS.source, text: ({ by }) => describeSpeaker(by) },
          ...(isDated ? [since] : []),
        ]}
      />
      {why.entityRule !== null && <p safe>{WORDS.entityRule(why.entityRule)}</p>}
      <p class="muted" safe>
        {describeRecordedSince(why.since)}
      </p>
    </>
  );
};

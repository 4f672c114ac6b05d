/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";
import { WITNESSES } from "../../src/domain/awards/award.ts";
import { describeWitness } from "../../src/domain/awards/award-words.ts";
import { getMarks } from "../../src/domain/contact/marks.ts";
import { listFacts, type OwnFacts } from "../../src/domain/contact/qso-facts.ts";
import { computeWay } from "../../src/domain/radio/maidenhead.ts";
import { describeField, describeValue } from "../../src/domain/jobs/job-words.ts";
import type { QsoView } from "../../src/domain/contact/qso-view.ts";
import type { Labels, Source } from "../../src/domain/jobs/source.ts";
import {
  describeRecordedSince,
  describeSpeaker,
  describeOriginWithoutJob,
  type Speaker,
} from "../../src/domain/contact/why.ts";
import { megahertz } from "../../src/kernel/number-text.ts";
import { capitalise, counted, grouped, utc } from "../words.ts";
import { Mark } from "./mark.tsx";
import { formatTypedMoment, type AsOf } from "../../src/kernel/time-text.ts";
import { Past } from "./past.tsx";
import { Caption } from "./caption.tsx";
import { TEXTS } from "../texts.ts";

const OWN_FACTS: OwnFacts = {
  startedAt: ({ startedAt }) => [["Start", `${formatTypedMoment(startedAt)} UTC`]],
  endedAt: ({ endedAt }) => [["End", endedAt === null ? null : `${formatTypedMoment(endedAt)} UTC`]],
  freqHz: ({ freqHz }) => [["Frequency", freqHz === null ? null : megahertz(freqHz)]],
  mode: ({ mode, submode }) => [["Mode", [mode, submode].filter(Boolean).join(" / ")]],
  rstSent: ({ rstSent, rstRcvd }) => [["RST", `${rstSent ?? "–"} sent · ${rstRcvd ?? "–"} received`]],
  operator: () => [],
  name: ({ name, qth }) => [["Name, QTH", [name, qth].filter(Boolean).join(", ")]],
  qth: () => [],
  gridsquare: (qso) => [
    ["Grid square", qso.gridsquare],
    ["Distance", describeWay(computeWay(qso))],
  ],
  state: ({ state, county }) => [["State, county", [state, county].filter(Boolean).join(", ")]],
  county: () => [],
  dxcc: ({ entity, dxcc }) => [["Entity", entity === null ? null : `${entity} (${dxcc})`]],
  cqZone: ({ cqZone, ituZone }) => [
    ["Zones", [cqZone && `CQ ${cqZone}`, ituZone && `ITU ${ituZone}`].filter(Boolean).join(", ")],
  ],
  ituZone: () => [],
  propMode: () => [],
  txPower: () => [],
};

const describeWay = (way: ReturnType<typeof computeWay>): string | null =>
  way && `${grouped(way.km)} km, at ${way.degrees}°`;

/** The details of a contact, one line each. */
export const QsoFacts = ({ qso, class: look }: { qso: QsoView; class?: string }) => (
  <dl class={["facts", look]}>
    {listFacts(qso, OWN_FACTS)
      .filter(([, value]) => value)
      .map(([name, value]) => (
        <>
          <dt safe>{name}</dt>
          <dd safe>{String(value)}</dd>
        </>
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
}

interface Props {
  story: ContactStory;
  labels: Labels;
}

const Glance = ({ qso, labels, children }: PropsWithChildren<{ qso: QsoView; labels: Labels }>) => (
  <div class="panel-body">
    <div class="head">
      <h2>
        <span class="call" safe>
          {qso.call}
        </span>{" "}
        <span class="muted" safe>
          {[qso.band, qso.submode ?? qso.mode].filter(Boolean).join(" · ")}
        </span>
      </h2>
      <button type="button" class="quiet" popovertarget="panel" popovertargetaction="hide">
        Close
      </button>
    </div>
    <p>
      {WITNESSES.map((witness) => (
        <span class="nowrap">
          <Mark of={getMarks(qso)[witness]} name={capitalise(describeWitness(witness, labels))} />{" "}
          <span aria-hidden="true" safe>
            {capitalise(describeWitness(witness, labels))}
          </span>{" "}
        </span>
      ))}
    </p>
    <QsoFacts qso={qso} />
    {children as "safe"}
  </div>
);

/** A contact as of a past day, next to that day's list. */
export const PastPanel = ({ past, labels }: { past: QsoView & { asOf?: AsOf }; labels: Labels }) => (
  <Glance qso={past} labels={labels}>
    <Past of={past.asOf} />
    <p class="buttons">
      <a class="button" href={`log/${past.id}`}>
        Show current version
      </a>
    </p>
  </Glance>
);

/** A contact's summary next to the list. */
export const QsoPanel = ({ story, labels }: Props) => {
  const { qso } = story;
  return (
    <Glance qso={qso} labels={labels}>
      <h3>History</h3>
      <History story={story} labels={labels} />
      <h3>
        Other contacts with <span safe>{qso.call}</span>
      </h3>
      <Others story={story} />
      <p class="buttons">
        <a class="button" href={`log/${qso.id}`}>
          Open
        </a>
        <a class="button" href={`log/${qso.id}#edit`}>
          Edit
        </a>
      </p>
    </Glance>
  );
};

const KINDS = {
  added: "added this contact",
  updated: "changed this contact",
  deleted: "deleted this contact",
} as const;

/** The jobs that changed a contact. */
export const History = ({ story: { qso, history, why }, labels }: Props) => (
  <>
    {history.length === 0 ? (
      <p class="muted" safe>
        {describeOriginWithoutJob(qso, new Set(why.fields.map(({ by }) => by)), labels)}
      </p>
    ) : (
      <ul class="plain">
        {history.map(({ jobId, source, kind, at }) => (
          <li>
            <span safe>{`${utc(at)} UTC: `}</span>
            <a href={`jobs/${jobId}`} safe>
              {`${labels[source]}, job ${jobId}`}
            </a>{" "}
            {KINDS[kind]}
          </li>
        ))}
      </ul>
    )}
  </>
);

/** Contacts with one call, listed by time, band and mode. */
export const OfOneCall = ({ contacts }: { contacts: readonly QsoView[] }) => (
  <ul class="plain">
    {contacts.map(({ id, startedAt, band, mode, submode }) => (
      <li>
        <a href={`log/${id}`} safe>
          {`${utc(startedAt)} UTC`}
        </a>{" "}
        <span safe>{[band, submode ?? mode].filter(Boolean).join(" · ")}</span>
      </li>
    ))}
  </ul>
);

/** Other contacts with the same call. */
export const Others = ({ story: { qso, others, othersTotal } }: Pick<Props, "story">) => (
  <>
    {others.length === 0 ? <p class="muted">No other contacts.</p> : <OfOneCall contacts={others} />}
    {othersTotal > others.length ? (
      <p>
        <a href={`log?search=${encodeURIComponent(`call:${qso.call}`)}`} safe>
          {`All ${counted(othersTotal + 1, "QSO")}`}
        </a>
      </p>
    ) : (
      ""
    )}
  </>
);

/** The origin of each field, and the job or day that brought it. */
export const Why = ({ story: { why }, labels }: Props) => (
  <>
    <div class="scroll" tabindex="0" role="group" aria-labelledby="why-title">
      <table class="diff">
        <Caption words={TEXTS.tables.values} />
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            <th scope="col">Source</th>
            <th scope="col">Since (UTC)</th>
          </tr>
        </thead>
        <tbody>
          {why.fields.map(({ field, value, by, jobId, at }) => (
            <tr>
              <th scope="row" safe>
                {describeField(field, labels)}
              </th>
              <td safe>{describeValue(field, value)}</td>
              <td safe>{describeSpeaker(by, labels)}</td>
              <td>
                <span safe>{at === null ? "" : utc(at)}</span>
                {jobId === null ? (
                  ""
                ) : (
                  <a href={`jobs/${jobId}`} safe>
                    {` job ${jobId}`}
                  </a>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    {why.entityRule === null ? "" : <p safe>{`Entity: ${why.entityRule}`}</p>}
    <p class="muted" safe>
      {describeRecordedSince(why.since)}
    </p>
  </>
);

/** @jsxImportSource @kitajs/html */
import { describeModeUnknown, WITNESSES, type Progress } from "../../src/domain/awards/award.ts";
import { describeConfirmer, findTarget } from "../../src/domain/awards/award-words.ts";
import type { OwnLocation } from "../../src/domain/radio/own-place.ts";
import { BarLegend } from "../charts/bars.tsx";
import { Meter } from "../charts/meter.tsx";
import type { AsOf } from "../../src/kernel/time-text.ts";
import { Choice, Field } from "../form.tsx";
import type { Labels } from "../../src/domain/jobs/source.ts";
import { EmptyLog } from "../partials/lead.tsx";
import { From, Location } from "../partials/location.tsx";
import { AsOfField, Past } from "../partials/past.tsx";
import { Silent } from "../partials/silent.tsx";
import { Count } from "../partials/count.tsx";
import { grouped } from "../words.ts";
import { Caption } from "../partials/caption.tsx";
import { TEXTS } from "../texts/shared.ts";
import { AWARD_TEXTS } from "../texts/awards.ts";

const words = AWARD_TEXTS.overview;

export interface AwardsProps {
  awards: readonly Progress[];
  withoutContacts?: readonly string[];
  locations: readonly OwnLocation[];
  asOf?: AsOf;
  asked: { by: string; station: string; location: string; asOf: string };
  labels: Labels;
}

export const confirmers = (labels: Labels): readonly (readonly [string, string])[] => [
  ["", describeConfirmer("sponsor", labels)],
  ...(["any", ...WITNESSES] as const).map((by) => [by, describeConfirmer(by, labels)] as const),
];

/** The progress of every award. */
export const Awards = ({ awards, locations, withoutContacts, asOf, asked, labels }: AwardsProps) => {
  const hasNone = awards.every(({ worked }) => worked === 0);
  const isEmpty = hasNone && Object.values(asked).every((value) => value === "");
  return (
    <>
      <div class="head">
        <h1>{words.title}</h1>
        {!isEmpty && <BarLegend />}
      </div>
      <section class="card" aria-label={words.title}>
        {isEmpty ? (
          <EmptyLog words={words.empty} />
        ) : (
          <form class="row" method="get" action="awards" aria-label={AWARD_TEXTS.view}>
            <Choice form="view" name="by" label={words.count} options={confirmers(labels)} value={asked.by} />
            <Field
              form="view"
              name="station"
              label={AWARD_TEXTS.station}
              value={asked.station}
              class="short"
              maxlength={40}
            />
            <Location locations={locations} asked={asked.location} />
            <AsOfField form="view" asked={asked.asOf} />
            <button id="view-go">{AWARD_TEXTS.show}</button>
          </form>
        )}
        <Past of={asOf} />
        <From from={awards[0]?.from ?? null} locations={locations} />
        <Silent stations={withoutContacts} />
        {!isEmpty && (!withoutContacts || !hasNone) && (
          <table class="stack awards">
            <Caption words={TEXTS.tables.awards} />
            <thead>
              <tr>
                <th scope="col">{words.award}</th>
                <th scope="col">{words.count}</th>
                <th scope="col" class="num">
                  {words.worked}
                </th>
                <th scope="col" class="num">
                  {words.confirmed}
                </th>
                <th scope="col" class="num" safe>
                  {labels.first}
                </th>
                <th scope="col" class="num" safe>
                  {labels.second}
                </th>
                <th scope="col" class="num">
                  {words.card}
                </th>
                <th scope="col">{AWARD_TEXTS.progress}</th>
                <th scope="col" class="num">
                  {words.goal}
                </th>
                <th scope="col" class="num">
                  {words.next}
                </th>
              </tr>
            </thead>
            <tbody>
              {awards.map((award) => (
                <Row award={award} asked={asked} labels={labels} />
              ))}
            </tbody>
          </table>
        )}
      </section>
    </>
  );
};

const Row = ({ award, asked, labels }: { award: Progress } & Pick<AwardsProps, "asked" | "labels">) => {
  const { id, label, unit, of, worked, confirmed, confirmedBy, modeUnknown, goal, next } = award;
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== "")).toString();
  return (
    <tr>
      <th scope="row" class="full nowrap">
        <a data-row="" href={`awards/${id}${query === "" ? "" : `?${query}`}`}>
          <b safe>{label}</b>
        </a>
      </th>
      <td class="muted full" safe>
        {[of === null ? unit : `${unit} (${of})`, describeModeUnknown(modeUnknown, labels.first)]
          .filter(Boolean)
          .join(". ")}
      </td>
      <Count label={words.worked} of={worked} />
      <Count label={words.confirmed} of={confirmed} />
      <Count label={labels.first} of={confirmedBy.first} />
      <Count label={labels.second} of={confirmedBy.second} />
      <Count label={words.card} of={confirmedBy.card} />
      <td class="full meter-cell">
        {goal !== null && <Meter confirmed={confirmed} worked={worked} {...(findTarget(award) ?? { goal })} />}
      </td>
      <td class="num" data-label={words.goal} safe>
        {goal === null ? "–" : grouped(goal)}
      </td>
      <td class="num" data-label={words.next} safe>
        {next === null ? "–" : grouped(next)}
      </td>
    </tr>
  );
};

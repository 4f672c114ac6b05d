/** @jsxImportSource @kitajs/html */
import { LABELS } from "../../src/domain/origins/labels.ts";
import type { PropsWithChildren } from "@elysiajs/html";
import { describeModeUnknown, WITNESSES, type Progress } from "../../src/domain/awards/award.ts";
import { describeConfirmer, findTarget } from "../../src/domain/awards/award-words.ts";
import type { OwnLocation } from "../../src/domain/radio/own-place.ts";
import { BarLegend } from "../charts/legend.tsx";
import { Meter } from "../charts/meter.tsx";
import type { AsOf } from "../../src/kernel/time-text.ts";
import { Choice, Field } from "../form.tsx";
import { EmptyLog } from "../partials/lead.tsx";
import { From, Location } from "../partials/location.tsx";
import { AsOfField, Past, Silent } from "../partials/contacts/past.tsx";
import { grouped } from "../words.ts";
import { Table, type Column } from "../partials/table.tsx";
import { TEXTS } from "../texts/shared.ts";
import { AWARD_TEXTS } from "../texts/awards.ts";

const words = AWARD_TEXTS.overview;

interface AwardsProps {
  awards: readonly Progress[];
  withoutContacts?: readonly string[];
  locations: readonly OwnLocation[];
  asOf?: AsOf;
  asked: { by: string; station: string; location: string; asOf: string };
}

const listConfirmers = (): readonly (readonly [string, string])[] => [
  ["", describeConfirmer("sponsor")],
  ...(["any", ...WITNESSES] as const).map((by) => [by, describeConfirmer(by)] as const),
];

/** Whose confirmations and which contacts count, with other fields in between. */
export const ViewFields = ({
  asked,
  locations,
  children,
}: PropsWithChildren<Pick<AwardsProps, "asked" | "locations">>) => (
  <>
    <Choice form="view" name="by" label={words.count} options={listConfirmers()} value={asked.by} />
    {children as "safe"}
    <Field form="view" name="station" label={AWARD_TEXTS.station} value={asked.station} class="short" maxlength={40} />
    <Location locations={locations} asked={asked.location} />
    <AsOfField form="view" asked={asked.asOf} />
    <button id="view-go">{AWARD_TEXTS.show}</button>
  </>
);

/** The progress of every award. */
export const Awards = ({ awards, locations, withoutContacts, asOf, asked }: AwardsProps) => {
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
            <ViewFields asked={asked} locations={locations} />
          </form>
        )}
        <Past of={asOf} />
        <From from={awards[0]?.from ?? null} locations={locations} />
        <Silent stations={withoutContacts} />
        {!isEmpty && (!withoutContacts || !hasNone) && (
          <Table caption={TEXTS.tables.awards} class="stack awards" rows={awards} columns={listColumns(asked)} />
        )}
      </section>
    </>
  );
};

const listColumns = (asked: AwardsProps["asked"]): Column<Progress>[] => {
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== "")).toString();
  const count = (head: string, of: (award: Progress) => number | null): Column<Progress> => ({
    head,
    label: head,
    class: "num",
    text: (award) => {
      const number = of(award);
      return number === null ? "–" : grouped(number);
    },
  });
  return [
    {
      head: words.award,
      isName: true,
      class: "full nowrap",
      markup: ({ id, label }) => (
        <a data-row="" href={`awards/${id}${query === "" ? "" : `?${query}`}`}>
          <b safe>{label}</b>
        </a>
      ),
    },
    {
      head: words.count,
      class: "muted full",
      text: ({ of, unit, modeUnknown }) =>
        [of === null ? unit : `${unit} (${of})`, describeModeUnknown(modeUnknown)].filter(Boolean).join(". "),
    },
    count(words.worked, ({ worked }) => worked),
    count(words.confirmed, ({ confirmed }) => confirmed),
    count(LABELS.first, ({ confirmedBy }) => confirmedBy.first),
    count(LABELS.second, ({ confirmedBy }) => confirmedBy.second),
    count(words.card, ({ confirmedBy }) => confirmedBy.card),
    {
      head: AWARD_TEXTS.progress,
      class: "full meter-cell",
      markup: (award) => {
        const { confirmed, worked, goal } = award;
        if (goal === null) return "";
        return <Meter confirmed={confirmed} worked={worked} {...(findTarget(award) ?? { goal })} />;
      },
    },
    count(words.goal, ({ goal }) => goal),
    count(words.next, ({ next }) => next),
  ];
};

/** @jsxImportSource @kitajs/html */
import { AWARD_GROUPS, describeModeUnknown, SAT, type AwardDetail } from "../../src/domain/awards/award.ts";
import { describeConfirmer, describeWitness, findTarget } from "../../src/domain/awards/award-words.ts";
import { Meter } from "../charts/meter.tsx";
import { Choice, Refusal, type Outcome } from "../form.tsx";
import { Segments } from "../partials/choices.tsx";
import { Figure } from "../partials/figure.tsx";
import { Fold } from "../partials/lead.tsx";
import { From } from "../partials/location.tsx";
import { Past, Silent } from "../partials/contacts/past.tsx";
import { BAND_CHOICES } from "../partials/contacts/qso-fields.tsx";
import { counted, grouped, listed } from "../words.ts";
import { List } from "./award-list.tsx";
import { AwardMaps, hasMap } from "./award-maps.tsx";
import { AWARD_TEXTS } from "../texts/awards.ts";
import {
  buildAwardPath,
  logOf,
  nameAward,
  nameBand,
  shortenBand,
  type Addressed,
  type AwardProps,
} from "./award-view.ts";
import { ViewFields } from "./awards.tsx";

export const AwardPage = (props: AwardProps & Outcome) => {
  const { award, asked, look, problem } = props;
  const [label, shown] = nameAward(props);
  const isUnheard = award.withoutContacts !== undefined && award.worked === 0;
  return (
    <>
      <div class="head">
        <h1>
          <span safe>{label}</span>{" "}
          <span class="muted" safe>
            {shown}
          </span>
        </h1>
        <div class="award-acts">
          {hasMap(award.id) && (
            <Segments
              label={AWARD_TEXTS.view}
              choices={(["list", "map"] as const).map((view) => ({
                words: AWARD_TEXTS[view],
                href: buildAwardPath(props, { view, page: 1 }),
                isHere: look.view === view,
              }))}
            />
          )}
          <a href="awards">{AWARD_TEXTS.all}</a>
        </div>
      </div>
      <section class="card" aria-label={AWARD_TEXTS.progress}>
        <Past of={props.asOf} />
        <From from={award.from} locations={award.locations} />
        <Silent stations={award.withoutContacts} />
        {!isUnheard && <Standing award={award} needed={props.needed} />}
        <View award={award} asked={asked} look={look} problem={problem} />
      </section>
      {/* The requested callsigns have no contacts: the page says so instead of showing zeros. */}
      {!isUnheard && (
        <>
          <Narrowing {...props} />
          {look.view === "map" ? (
            <AwardMaps {...props} toLog={(filter) => logOf(asked, filter)} />
          ) : (
            <List {...props} />
          )}
        </>
      )}
    </>
  );
};

const View = ({ award, asked, look, problem }: Addressed & Outcome) => {
  const by = (asked.by || "sponsor") as Parameters<typeof describeConfirmer>[0];
  return (
    <Fold
      id="count"
      summary={AWARD_TEXTS.countSummary(describeConfirmer(by))}
      note={AWARD_TEXTS.countNote}
      isOpen={problem?.form === "view"}
    >
      <form class="row" id="view" method="get" action={`awards/${award.id}`} aria-label={AWARD_TEXTS.view}>
        <Refusal of="view" problem={problem} />
        <input
          type="hidden"
          name={look.view === "map" ? "view" : "show"}
          value={look.view === "map" ? "map" : look.show}
        />
        <ViewFields asked={asked} locations={award.locations}>
          <Choice
            form="view"
            name="band"
            label={AWARD_TEXTS.band}
            options={[...BAND_CHOICES, [SAT, AWARD_TEXTS.satellites]]}
            value={asked.band}
          />
          <Choice
            form="view"
            name="group"
            label={AWARD_TEXTS.group}
            options={["", ...AWARD_GROUPS].map((group) => [group, AWARD_TEXTS.groupNames[group]!] as const)}
            value={asked.group}
          />
        </ViewFields>
      </form>
    </Fold>
  );
};

const Standing = ({ award, needed }: Pick<AwardProps, "award" | "needed">) => {
  const { unit, sponsor, accepts, worked, confirmed, confirmedBy, credited, goal, of, parts, uncounted } = award;
  const modeMissing = describeModeUnknown(award.modeUnknown);
  const isSplit = parts.length > 0;
  const figures: [string, number][] = [
    [AWARD_TEXTS.figure(AWARD_TEXTS.figures.confirmed, of), confirmed],
    [AWARD_TEXTS.figure(AWARD_TEXTS.figures.waiting, of), worked - confirmed],
    ...(needed.complete && !isSplit
      ? [[AWARD_TEXTS.figures.needed, needed.neverWorked.length] satisfies [string, number]]
      : []),
  ];
  const notes = [
    AWARD_TEXTS.counted(unit, of, sponsor, listed(accepts.map((one) => describeWitness(one)))),
    AWARD_TEXTS.confirmers(
      (["first", "second", "card"] as const).map((by) => [describeWitness(by), grouped(confirmedBy[by])]),
      grouped(credited),
    ),
    isSplit ? AWARD_TEXTS.parts(parts.map((part) => [part.name, grouped(part.confirmed), grouped(part.worked)])) : null,
    modeMissing,
    uncounted !== null && uncounted.unknownEntity + uncounted.notValid > 0
      ? AWARD_TEXTS.uncounted(counted(uncounted.unknownEntity, "QSO"), grouped(uncounted.notValid))
      : null,
  ].filter((words) => words !== null);
  const target = findTarget(award);
  return (
    <>
      <div class="standing">
        <dl class="figures">
          {figures.map(([name, value], at) => (
            <Figure name={name} value={grouped(value)} isHero={at === 0} />
          ))}
        </dl>
        {target === null ? (
          <p class="muted" safe>
            {goal === null ? AWARD_TEXTS.noGoal : AWARD_TEXTS.reached(grouped(goal), grouped(confirmed))}
          </p>
        ) : (
          <div class="dial">
            <p safe>
              {target.from === 0
                ? AWARD_TEXTS.toGo(grouped(confirmed), grouped(target.goal), grouped(target.goal - confirmed))
                : AWARD_TEXTS.next(grouped(confirmed), grouped(target.goal), grouped(target.goal - confirmed))}
            </p>
            <Meter confirmed={confirmed} worked={worked} {...target} />
            <p class="ends muted small" aria-hidden="true">
              <span safe>{grouped(target.from)}</span>
              <span safe>{grouped(target.goal)}</span>
            </p>
          </div>
        )}
      </div>
      <p class="muted small" safe>
        {notes.join(" ")}
      </p>
    </>
  );
};

const FIVE_BANDS = ["80m", "40m", "20m", "15m", "10m"];
const SHORT_WAVE_LENGTHS = ["6m", "2m", "70cm", "23cm", SAT];
const MOST_BANDS = ["160m", "80m", "40m", "30m", "20m", "17m", "15m", "12m", "10m", "6m", "2m"];

/** For awards without a matrix, whose bands are not known while one of them is shown. */
const listUsualBands = (id: AwardDetail["id"]): readonly string[] => {
  if (id.endsWith("-5band")) return FIVE_BANDS;
  return id === "vucc" ? SHORT_WAVE_LENGTHS : MOST_BANDS;
};

const USUAL_GROUPS = ["", "cw", "phone", "digital"];

/** The bands of the log and the usual modes, one click each, and what to find. */
const Narrowing = (props: AwardProps) => {
  const { asked, award, look, matrix } = props;
  const bands = new Set([...(matrix?.bands ?? listUsualBands(award.id)), ...(asked.band === "" ? [] : [asked.band])]);
  const groups = new Set([...USUAL_GROUPS, asked.group]);
  return (
    <div class="narrowing">
      <Segments
        label={AWARD_TEXTS.bands}
        choices={[
          {
            words: AWARD_TEXTS.allBands,
            href: buildAwardPath(props, { band: "", page: 1 }),
            isHere: asked.band === "",
          },
          ...[...bands].map((band) => ({
            words: shortenBand(band),
            label: nameBand(band),
            href: buildAwardPath(props, { band, page: 1 }),
            isHere: asked.band === band,
          })),
        ]}
      />
      <Segments
        label={AWARD_TEXTS.groups}
        choices={[...groups].map((group) => ({
          words: AWARD_TEXTS.groupNames[group] ?? group,
          href: buildAwardPath(props, { group, page: 1 }),
          isHere: asked.group === group,
        }))}
      />
      {look.view !== "map" && (
        <form
          class="finder-line"
          method="get"
          action={`awards/${award.id}`}
          role="search"
          hx-get={`awards/${award.id}`}
          hx-trigger="input delay:200ms, submit"
          hx-target="#slots"
          hx-select="#slots"
          hx-swap="outerMorph"
          hx-replace-url="true"
        >
          {Object.entries({ ...asked, show: look.show })
            .filter(([, value]) => value !== "")
            .map(([name, value]) => (
              <input type="hidden" name={name} value={value} />
            ))}
          <input
            type="search"
            id="find"
            name="find"
            data-key="/"
            value={look.find}
            aria-label={AWARD_TEXTS.find}
            placeholder={AWARD_TEXTS.findHint}
          />
          <button class="quiet">{AWARD_TEXTS.find}</button>
        </form>
      )}
    </div>
  );
};

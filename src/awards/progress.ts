import {
  byWitness,
  SAT,
  WITNESSES,
  type AwardView,
  type ByWitness,
  type Part,
  type Progress,
} from "../domain/awards/award.ts";
import { compareBands } from "../domain/radio/band.ts";
import { nextAfter, type Award, type Goal } from "./award.ts";
import { accepted, anyOf, CONFIRMED_BY, CREDITED, UNDIVIDED, WORKED, type Marks, type Parts } from "./slots.ts";

interface Figures {
  worked: number;
  confirmed: number;
  confirmedBy: ByWitness<number>;
  credited: number;
}

/** The progress in an award, from its slots. */
export const progressOf = (
  award: Award,
  parts: Parts,
  view: AwardView,
  more: Pick<Progress, "modeUnknown" | "from">,
): Progress => {
  const { id, label, unit, sponsor, accepts } = award;
  const { figures, of } = combined(award, parts, view);
  const goal = goalOf(award, view, of);
  return {
    id,
    label,
    unit,
    sponsor,
    accepts,
    goal: goal?.figure ?? null,
    next: goal && nextAfter(goal, figures.confirmed),
    ...figures,
    ...more,
    of,
  };
};

const goalOf = (award: Award, view: AwardView, part: string | null): Goal | null =>
  award.goal(award.split?.by === "band" && part !== null ? { ...view, band: part as typeof SAT } : view);

/** The progress in each band or group of an award. */
export const partsOf = (award: Award, parts: Parts, view: AwardView): Part[] =>
  award.split
    ? partNames(award, parts, view).map((name) => {
        const { worked, confirmed } = figuresOf(award, parts.get(name), view);
        const goal = award.split!.combination === "sum" ? null : (goalOf(award, view, name)?.figure ?? null);
        return { name, goal, worked, confirmed };
      })
    : [];

const combined = (award: Award, parts: Parts, view: AwardView): { figures: Figures; of: string | null } => {
  if (!award.split) return { figures: figuresOf(award, parts.get(UNDIVIDED), view), of: null };
  const names = partNames(award, parts, view);
  const each = names.map((name) => ({ of: name, figures: figuresOf(award, parts.get(name), view) }));
  const { combination } = award.split;
  if (combination === "best") {
    return each.reduce((best, other) => (isAhead(award, view, other, best) ? other : best));
  }
  const figures = each.map(({ figures: one }) => one);
  if (combination === "sum") return { figures: figures.reduce(added), of: null };
  const least = figures.reduce(lesser);
  const only = each.filter(({ figures: one }) => one.confirmed === least.confirmed);
  return { figures: least, of: only.length === 1 ? only[0]!.of : null };
};

const NEWCOMERS_BAND = "6m";

/** The bands or groups to count: the chosen ones, those of the award, or those that occur. */
const partNames = ({ split }: Award, parts: Parts, view: AwardView): readonly string[] => {
  if (split!.by === "band" && view.band !== null) return [view.band];
  if (split!.by === "group" && view.group !== null) return [view.group];
  if (split!.parts) return split!.parts;
  return parts.size === 0 ? [NEWCOMERS_BAND] : [...parts.keys()].sort(bandOrder);
};

export const bandOrder = (a: string, b: string): number => {
  if (a === b) return 0;
  if (a === SAT || b === SAT) return a === SAT ? 1 : -1;
  return compareBands(a, b);
};

interface Standing {
  of: string;
  figures: Figures;
}

const isAhead = (award: Award, view: AwardView, a: Standing, b: Standing): boolean => {
  const share = ({ of, figures }: Standing) => {
    const wanted = goalOf(award, view, of)?.figure ?? Infinity;
    return [figures.confirmed / wanted, figures.worked / wanted] as const;
  };
  const [confirmedA, workedA] = share(a);
  const [confirmedB, workedB] = share(b);
  return confirmedA > confirmedB || (confirmedA === confirmedB && workedA > workedB);
};

const figuresOf = (award: Award, slots: Map<unknown, Marks> | undefined, { by }: AwardView): Figures => {
  const confirmedBy = { ...byWitness(() => 0), any: 0 };
  const figures: Figures = { worked: 0, confirmed: 0, confirmedBy, credited: 0 };
  const enough = anyOf(accepted(award, by));
  const any = anyOf(WITNESSES);
  for (const marks of slots?.values() ?? []) {
    if (marks & WORKED) figures.worked += 1;
    if (marks & CREDITED) figures.credited += 1;
    if (marks & enough) figures.confirmed += 1;
    if (!(marks & any)) continue;
    confirmedBy.any += 1;
    for (const witness of WITNESSES) if (marks & CONFIRMED_BY[witness]) confirmedBy[witness] += 1;
  }
  return figures;
};

const eachOf =
  (combine: (a: number, b: number) => number) =>
  (a: Figures, b: Figures): Figures => ({
    worked: combine(a.worked, b.worked),
    confirmed: combine(a.confirmed, b.confirmed),
    confirmedBy: {
      ...byWitness((witness) => combine(a.confirmedBy[witness], b.confirmedBy[witness])),
      any: combine(a.confirmedBy.any, b.confirmedBy.any),
    },
    credited: combine(a.credited, b.credited),
  });

const added = eachOf((a, b) => a + b);
const lesser = eachOf(Math.min);

import type { CallFacts } from "../../domain/radio/call-facts.ts";
import { derive, RULES_VERSION } from "../../domain/contact/derive.ts";
import { NO_LAYERS, sameLayers, type Layers } from "../../domain/contact/layers.ts";
import { ORIGIN_OF } from "../../domain/origins/origins.ts";
import { SERVICE_ORIGINS } from "../../domain/origins/services.ts";
import { isService } from "../../domain/jobs/source.ts";
import type { Settlement } from "../../domain/jobs/reconcile.ts";
import type { Qso } from "../../domain/contact/qso.ts";
import type { RepairChange, RepairCounts } from "../../domain/jobs/repair.ts";
import type { Leftover } from "../../storage/log/leftovers.ts";
import { getLayers, type Snapshot } from "../../storage/log/qsos.ts";
import { editLayers } from "./edit.ts";
import { mergeLayers } from "./merge.ts";

export interface Outcome {
  before: Qso;
  /** Null if the contact is removed. */
  after: Qso | null;
  /** Whether the contact must not come back from any source. `mergedInto` is the contact it was merged into. */
  isDeleted?: boolean;
  mergedInto?: number;
}

/** A service that already described the contact under another id keeps both records. */
const mergeLeftover = (layers: Layers, { source, record, part }: Leftover): Layers =>
  isService(source)
    ? SERVICE_ORIGINS[source].mergeTwin(layers, record, part)
    : ORIGIN_OF[source].merge(layers, record, part);

/** What a bulk edit has done so far, or would do. */
export class Outcomes {
  readonly #facts: CallFacts;
  readonly #now: number;
  readonly #left = new Map<number, Outcome>();
  readonly #refused = new Map<string, number>();
  /** Contacts that were not in the log before. */
  readonly added: Snapshot[] = [];
  /** Ids of the leftovers that were settled. */
  readonly settled: number[] = [];
  #chosen = 0;
  #unchanged = 0;

  constructor(facts: CallFacts, now: number) {
    this.#facts = facts;
    this.#now = now;
  }

  /** Each contact once, with its first and its last state. */
  get all(): Outcome[] {
    return [...this.#left.values()];
  }

  get counts(): RepairCounts {
    const deleted = this.all.filter(({ after }) => after === null).length;
    return {
      chosen: this.#chosen,
      changed: this.#left.size - deleted,
      deleted,
      unchanged: this.#unchanged,
      refused: [...this.#refused].map(([reason, contacts]) => ({ reason, contacts })),
    };
  }

  /** Applies a change to one contact, or merges the second contact into the first. */
  add(change: Exclude<RepairChange, { kind: "settle" }>, qso: Qso | undefined, other: Qso | undefined): void {
    this.#chosen += 1;
    if (qso === undefined || (change.kind === "merge" && other === undefined)) return void (this.#unchanged += 1);
    switch (change.kind) {
      case "delete":
        return this.#note({ before: qso, after: null, isDeleted: true });
      case "edit":
        return this.#become(qso, editLayers(qso, change, this.#now), "unchanged");
      case "takeOut":
        return this.#takeOut(qso, { ...getLayers(qso), [change.service]: null });
      case "merge":
        return this.#merge(qso, other!);
    }
  }

  /** Settles a leftover, with the contact that it means. */
  settle(act: Settlement, leftover: Leftover | undefined, qso: Qso | undefined): void {
    this.#chosen += 1;
    const isAboutNobody = act === "match" && qso === undefined;
    if (leftover === undefined || isAboutNobody) return void (this.#unchanged += 1);
    const { id, source, record, part } = leftover;
    const mergeIt = (layers: Layers) => ORIGIN_OF[source].merge(layers, record, part);
    if (act === "new" && !this.#add(mergeIt(NO_LAYERS))) return this.#refuse("the callsign or the time is missing");
    if (act === "match") this.#become(qso!, mergeLeftover(getLayers(qso!), leftover), "merged");
    this.settled.push(id);
  }

  #add(layers: Layers): boolean {
    const derived = derive(layers, this.#facts);
    if (derived === null) return false;
    this.added.push({
      ...derived,
      ...layers,
      createdAt: this.#now,
      updatedAt: this.#now,
      rulesVersion: RULES_VERSION,
    });
    return true;
  }

  /** The contact in the state in which this bulk edit left it. */
  getCurrent(qso: Qso | undefined): Qso | undefined {
    const known = qso && this.#left.get(qso.id);
    return known ? (known.after ?? undefined) : qso;
  }

  #merge(qso: Qso, other: Qso): void {
    this.#become(qso, mergeLayers(qso, other), "merged");
    this.#note({ before: other, after: null, isDeleted: true, mergedInto: qso.id });
  }

  #takeOut(qso: Qso, layers: Layers): void {
    if (sameLayers(layers, NO_LAYERS) || derive(layers, this.#facts) === null) this.#note({ before: qso, after: null });
    else this.#become(qso, layers, "unchanged");
  }

  #become(qso: Qso, wanted: Layers | { refused: string }, asItIs: "unchanged" | "merged"): void {
    if ("refused" in wanted) return this.#refuse(wanted.refused);
    if (sameLayers(wanted, getLayers(qso))) return void (asItIs === "unchanged" && (this.#unchanged += 1));
    const derived = derive(wanted, this.#facts);
    if (derived === null) return this.#refuse("no other source has the callsign and the time");
    if ((qso.band !== null && derived.band === null) || (qso.mode !== null && derived.mode === null)) {
      return this.#refuse("no other source has the band and the mode");
    }
    const after = { ...qso, ...derived, ...wanted, updatedAt: this.#now, rulesVersion: RULES_VERSION };
    this.#note({ before: qso, after });
  }

  #note(outcome: Outcome): void {
    const { id } = outcome.before;
    const before = this.#left.get(id)?.before ?? outcome.before;
    this.#left.set(id, { ...outcome, before });
  }

  #refuse(reason: string): void {
    this.#refused.set(reason, (this.#refused.get(reason) ?? 0) + 1);
  }
}

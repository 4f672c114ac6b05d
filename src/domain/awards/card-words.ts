import type { Witness } from "./award.ts";
import { describeWitness } from "./award-words.ts";
import { formatCsvCell } from "../../kernel/csv.ts";
import { invalidField } from "../../kernel/errors.ts";
import { formatExactMoment } from "../../kernel/time-text.ts";
import type { NamedContact } from "../contact/named-contact.ts";

/** A contact to submit for an award slot, and its confirmation. */
export interface Proof extends NamedContact {
  slot: string;
  by: Witness;
}

const HEAD = ["slot", "call", "date", "time", "band", "mode", "stationCallsign", "confirmedBy", "id"];

const describeProof = (proof: Proof): string[] => {
  const { slot, by, id, call, startedAt, band, mode, submode, stationCallsign } = proof;
  const at = new Date(startedAt).toISOString();
  return [
    slot,
    call,
    at.slice(0, 10),
    at.slice(11, 16),
    band ?? "",
    submode ?? mode ?? "",
    stationCallsign ?? "",
    describeWitness(by),
    String(id),
  ];
};

/** The list as text or CSV, for a sponsor or a card checker. */
export const formatCards = (
  format: string,
  { label, cards: rows }: { label: string; cards: readonly Proof[] },
): { text: string; type: string } => {
  const lines = rows.map((proof) => describeProof(proof));
  if (format === "csv") {
    const text = [HEAD, ...lines].map((line) => `${line.map(formatCsvCell).join(",")}\r\n`).join("");
    return { text, type: "text/csv; charset=utf-8" };
  }
  if (format !== "text") {
    throw invalidField("format", `${JSON.stringify(format)} is not a format; use json, text or csv.`);
  }
  const width = Math.max(4, ...rows.map(({ slot }) => slot.length));
  const text = rows.map(
    (proof) =>
      `${proof.slot.padEnd(width)}  ${proof.call.padEnd(12)} ${formatExactMoment(proof.startedAt)}  ` +
      `${(proof.band ?? "").padEnd(5)} ${(proof.submode ?? proof.mode ?? "").padEnd(8)} ${describeWitness(proof.by)}\n`,
  );
  return { text: `${label}: ${rows.length} to submit\n${text.join("")}`, type: "text/plain; charset=utf-8" };
};

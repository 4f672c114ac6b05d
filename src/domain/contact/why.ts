import { LABELS } from "../origins/labels.ts";
import type { Fields } from "./adif-record.ts";
import { getField, PLAIN_NAMES, type PlainName } from "./fields.ts";
import type { Layers } from "./layers.ts";
import { formatUtc } from "../../kernel/time-text.ts";
import { SERVICES, type Service } from "../jobs/source.ts";
import { textOrNull } from "../../kernel/text.ts";
import { forEachVoice, type VoiceOrigin } from "./voices.ts";

/** Where the value of a field comes from: the user, a file, a service, or derived from other fields. */
export type Speaker = VoiceOrigin | "derived";

export const SPEAKERS = ["typed", "file", ...SERVICES, "derived"] as const;

export const describeSpeaker = (speaker: Speaker): string => {
  if (speaker === "typed") return "entered by you";
  if (speaker === "derived") return "worked out by qsolog";
  return speaker === "file" ? "a file" : LABELS[speaker];
};

/**
 * Explains the origin of a contact when no job is known to have added or changed it. Change records of old jobs are
 * removed.
 */
export const describeOriginWithoutJob = (
  { createdAt, ...said }: { createdAt: number } & Record<Service, object | null>,
  speakers: ReadonlySet<Speaker>,
): string => {
  const services = SERVICES.filter((service) => said[service] !== null).map((service) => LABELS[service]);
  const brought = [...(speakers.has("file") ? ["a file or a program"] : []), ...services];
  if (brought.length === 0)
    return `Added on ${formatUtc(createdAt)} UTC by hand or by a program. No job has changed it since.`;
  const also = speakers.has("typed") ? " You entered some of it." : "";
  return `This contact comes from ${brought.join(" and ")}.${also} The jobs that added it are no longer recorded.`;
};

/** Since when changes of a contact are recorded. */
export const describeRecordedSince = (since: number | null): string =>
  since === null ? "Changes to this contact were not kept." : `Changes before ${formatUtc(since)} UTC were not kept.`;

/** The first origin that has a value for each non-empty field. */
export const findSpeakers = (layers: Layers): ReadonlyMap<PlainName, Speaker> => {
  const voices: [Speaker, Fields][] = [];
  forEachVoice(layers, ({ fields }, speaker) => void voices.push([speaker, fields]));
  return new Map(
    PLAIN_NAMES.map((name): [PlainName, Speaker] => {
      const { adif = [], beside = [] } = getField(name);
      const names = [...adif, ...beside];
      const said = voices.find(([, fields]) => names.some((one) => textOrNull(fields[one]) !== null));
      return [name, said?.[0] ?? "derived"];
    }),
  );
};

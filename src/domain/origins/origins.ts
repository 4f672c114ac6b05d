import type { FileRecord, Layers } from "../contact/layers.ts";
import { ID_COLUMN } from "../contact/qso.ts";
import { layersFrom } from "../contact/records.ts";
import { byService, isService, SERVICES, type Service, type Source } from "../jobs/source.ts";
import { fileOrigin } from "./file.ts";
import type { Confirmed, Origin } from "./origin.ts";
import { addOwnersCredits, cardConfirmation, ownerOrigin } from "./owner.ts";
import { repairOrigin } from "./repair.ts";
import { SERVICE_ORIGINS, type Ids } from "./services.ts";

/** Who speaks in a job of each source. */
export const ORIGIN_OF: Record<Source, Origin> = {
  ...SERVICE_ORIGINS,
  file: fileOrigin,
  feed: ownerOrigin,
  repair: repairOrigin,
};

/** Of the services only this one says whether both sides were in the same mode. */
export const MODE_WITNESS: Service = SERVICES.find((service) => SERVICE_ORIGINS[service].seesModes)!;

/** What each service calls the contact of a record. */
export const idsOf = (source: Source, record: FileRecord): Ids => {
  const ids: Ids = { ...NO_IDS };
  if (record.brought) return byService((service) => SERVICE_ORIGINS[service].idIn(layersFrom(record.brought!)));
  if (isService(source)) ids[source] = SERVICE_ORIGINS[source].idOf(record);
  else for (const service of SERVICES) ids[service] = SERVICE_ORIGINS[service].idInFile(record);
  return ids;
};

/** The columns with what each service calls a contact. */
export const idsIn = (layers: Layers): Record<`${Service}Id`, string | null> => {
  const ids = {} as Record<`${Service}Id`, string | null>;
  for (const service of SERVICES) ids[ID_COLUMN[service]] = SERVICE_ORIGINS[service].idIn(layers);
  return ids;
};

const NO_IDS = Object.fromEntries(SERVICES.map((service) => [service, null])) as Ids;

/** Who confirmed a contact: each of the services, and the partner's card. */
export const confirmationsOf = (layers: Layers): Record<Service | "card", Confirmed> => {
  const confirmations = { card: cardConfirmation(layers) } as Record<Service | "card", Confirmed>;
  for (const service of SERVICES) confirmations[service] = SERVICE_ORIGINS[service].confirmation(layers);
  return confirmations;
};

/** Credits a sponsor granted, as ADIF lists them. */
export const creditsOf = (layers: Layers): string | null => {
  const granted = new Set<string>();
  for (const service of SERVICES) SERVICE_ORIGINS[service].addCredits(granted, layers);
  addOwnersCredits(granted, layers);
  const named = [...granted].filter((credit) => CREDIT_NAME.test(credit)).sort();
  while (named.join(",").length > MAX_CREDITS) named.pop();
  return named.length === 0 ? null : named.join(",");
};

/** As ADIF writes them; all that it knows together are half as long as what one row of an index may hold of them. */
const CREDIT_NAME = /^[ -~]+$/;
const MAX_CREDITS = 1_000;

import type { FileRecord, Layers } from "../contact/layers.ts";
import { ID_COLUMN } from "../contact/qso.ts";
import { buildLayers } from "../contact/records.ts";
import { byService, isService, SERVICES, type Service, type Source } from "../jobs/source.ts";
import { fileOrigin } from "./file.ts";
import type { Confirmed, Origin } from "./origin.ts";
import { addOwnersCredits, getCardConfirmation, ownerOrigin } from "./owner.ts";
import { repairOrigin } from "./repair.ts";
import { SERVICE_ORIGINS, type Ids } from "./services.ts";

/** The origin for each source of jobs. */
export const ORIGIN_OF: Record<Source, Origin> = {
  ...SERVICE_ORIGINS,
  file: fileOrigin,
  feed: ownerOrigin,
  repair: repairOrigin,
};

/** The only service that says whether both sides used the same mode. */
export const MODE_WITNESS: Service = SERVICES.find((service) => SERVICE_ORIGINS[service].seesModes)!;

/** Each service's id of a record's contact. */
export const readIds = (source: Source, record: FileRecord): Ids => {
  const ids: Ids = { ...NO_IDS };
  if (record.brought) return byService((service) => SERVICE_ORIGINS[service].getIdFrom(buildLayers(record.brought!)));
  if (isService(source)) ids[source] = SERVICE_ORIGINS[source].idOf(record);
  else for (const service of SERVICES) ids[service] = SERVICE_ORIGINS[service].idInFile(record);
  return ids;
};

/** The columns with each service's id of a contact. */
export const getIds = (layers: Layers): Record<`${Service}Id`, string | null> => {
  const ids = {} as Record<`${Service}Id`, string | null>;
  for (const service of SERVICES) ids[ID_COLUMN[service]] = SERVICE_ORIGINS[service].getIdFrom(layers);
  return ids;
};

const NO_IDS = Object.fromEntries(SERVICES.map((service) => [service, null])) as Ids;

/** The confirmations of a contact by each service and by card. */
export const getConfirmations = (layers: Layers): Record<Service | "card", Confirmed> => {
  const confirmations = { card: getCardConfirmation(layers) } as Record<Service | "card", Confirmed>;
  for (const service of SERVICES) confirmations[service] = SERVICE_ORIGINS[service].getConfirmation(layers);
  return confirmations;
};

/** Credits that a sponsor granted, as an ADIF list. */
export const collectCredits = (layers: Layers): string | null => {
  const granted = new Set<string>();
  for (const service of SERVICES) SERVICE_ORIGINS[service].addCredits(granted, layers);
  addOwnersCredits(granted, layers);
  const named = [...granted].filter((credit) => CREDIT_NAME.test(credit)).sort();
  while (named.join(",").length > MAX_CREDITS) named.pop();
  return named.length === 0 ? null : named.join(",");
};

/** Names as ADIF writes them. All credits together reach only half the size that an index row can hold. */
const CREDIT_NAME = /^[ -~]+$/;
const MAX_CREDITS = 1_000;

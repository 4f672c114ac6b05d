import {
  listAnswers,
  NO_LAYERS,
  type FileRecord,
  type Layers,
  type NamedRecord,
  type RecordOrigin,
  type ServiceLayer,
} from "./layers.ts";
import { computeFileKey, listParts, addPart } from "../origins/owner.ts";
import { SERVICE_ORIGINS } from "../origins/services.ts";
import { isService, SERVICES, type Service } from "../jobs/source.ts";

/**
 * The slot of a record. A contact has one current record per slot: every record of a file, and the newest version of
 * any other.
 */
export const getSlot = (named: Omit<NamedRecord, "record">): string => {
  const { origin, key, isLinked } = named;
  if (isFiled(named)) return `${origin} ${key}`;
  return isLinked ? `${origin} + ${key}` : `${origin} ${getKind(key)}`;
};

export const getKind = (key: string): string => {
  const end = key.indexOf(" ");
  return end < 0 ? key : key.slice(0, end);
};

const getName = (key: string): string => key.slice(getKind(key).length + 1);

export const listRecords = (layers: Layers): NamedRecord[] => {
  const records: NamedRecord[] = [];
  const { typed, file, report, brought } = layers.own ?? {};
  if (typed) records.push({ origin: "own", key: "typed", isLinked: false, record: { fields: typed } });
  for (const { record, isLinked } of [file, report].flatMap(listParts)) {
    records.push({ origin: "file", key: computeFileKey(record), isLinked, record });
  }
  for (const service of SERVICES) addRecords(records, service, layers[service]);
  if (brought) for (const service of SERVICES) addRecords(records, service, brought[service], "file");
  return records;
};

const addRecords = (
  records: NamedRecord[],
  service: Service,
  layer: ServiceLayer | null | undefined,
  origin: RecordOrigin = service,
): void => {
  if (!layer) return;
  const prefix = origin === service ? "" : `${service}-`;
  const { twins = {}, ...main } = layer;
  for (const [kind, record] of listAnswers(main)) {
    const name = SERVICE_ORIGINS[service].idOf(record) ?? "";
    records.push({ origin, key: `${prefix}${kind} ${name}`, isLinked: false, record });
  }
  for (const [name, twin] of Object.entries(twins)) {
    for (const [kind, record] of listAnswers(twin)) {
      records.push({ origin, key: `${prefix}${kind} ${name}`, isLinked: true, record });
    }
  }
};

/** Builds the layers of a contact from its current records, in order of arrival. */
export const buildLayers = (records: Iterable<NamedRecord>): Layers => {
  const layers: Layers = { ...NO_LAYERS };
  for (const named of records) {
    const { origin, key, isLinked, record } = named;
    const service = findCarriedService(named);
    if (isService(origin)) addToLayer(layers, origin, named);
    else if (service !== null) {
      addToLayer(((layers.own ??= {}).brought ??= {}), service, { ...named, key: key.slice(service.length + 1) });
    } else {
      layers.own ??= {};
      const kind = getKind(key) as "typed" | "file" | "report";
      if (kind === "typed") layers.own.typed = record.fields;
      else layers.own[kind] = addPart(layers.own[kind], { record, isLinked });
    }
  }
  return layers;
};

/** The position of each record in order of arrival; an unwritten record has none. */
const PLACES = new WeakMap<FileRecord, number>();

export const setPlace = (named: NamedRecord, place: number): NamedRecord => {
  PLACES.set(named.record, place);
  return named;
};

/** Sorts records by arrival. */
export const sortByPlace = (records: readonly NamedRecord[]): NamedRecord[] => {
  const getPlace = ({ record }: NamedRecord) => PLACES.get(record) ?? Number.MAX_SAFE_INTEGER;
  return records.toSorted((a, b) => getPlace(a) - getPlace(b));
};

/** The service whose record a file carried. */
const findCarriedService = ({ origin, key }: Pick<NamedRecord, "origin" | "key">): Service | null =>
  origin === "file" ? (SERVICES.find((service) => key.startsWith(`${service}-`)) ?? null) : null;

const addToLayer = (
  layers: { [Name in Service]?: ServiceLayer | null },
  service: Service,
  { key, isLinked, record }: NamedRecord,
): void => {
  const layer = layers[service];
  const answer = { [getKind(key)]: record };
  const id = getName(key);
  layers[service] = isLinked
    ? { ...layer, twins: { ...layer?.twins, [id]: { ...layer?.twins?.[id], ...answer } } }
    : { ...layer, ...answer };
};

/** Call and minute as the file has them. They find a contact that was corrected since. Null if one is missing. */
export const getFiledKey = ({ fields }: FileRecord): string | null => {
  const { CALL, QSO_DATE, TIME_ON = fields.TIME_OFF } = fields;
  return CALL && QSO_DATE && TIME_ON ? `${CALL.trim().toUpperCase()} ${QSO_DATE}${TIME_ON.slice(0, 4)}` : null;
};

/** The keys of the file's own records of a contact. */
export const listFileKeys = (record: FileRecord): readonly string[] =>
  record.brought?.flatMap((named) => (isFiled(named) && getName(named.key) !== "" ? named.key : [])) ?? [
    computeFileKey(record),
  ];

/** Whether the record is the file's own, not a service's record carried by it. */
export const isFiled = (named: Pick<NamedRecord, "origin" | "key">): boolean =>
  named.origin === "file" && findCarriedService(named) === null;

/** The name that identifies a current or former record, whether a service gave it or a file carried it. */
export const getFormerName = (named: NamedRecord): string => {
  const { origin, key, record } = named;
  if (isFiled(named)) return `${origin} ${key}`;
  const service = findCarriedService(named);
  const name = service === null ? `${origin} ${key}` : `${service} ${key.slice(service.length + 1)}`;
  return `${name} ${JSON.stringify([record.fields, record.types])}`;
};

/** Drops carried records that the contact has or had. */
export const removeFormer = (record: FileRecord, former: ReadonlySet<string> | undefined): FileRecord =>
  record.brought && former
    ? { ...record, brought: record.brought.filter((named) => !former.has(getFormerName(named))) }
    : record;

/** The difference in records between two states of a contact. */
interface RecordChange {
  /** New records and new versions. */
  added: NamedRecord[];
  /** Slots that no longer have a record. */
  removed: string[];
}

export const recordChange = (before: Layers, after: Layers): RecordChange => {
  const isSame = ({ origin }: NamedRecord) => {
    const layer = isService(origin) ? origin : "own";
    return before[layer] === after[layer];
  };
  const [was, is] = [before, after].map((layers) => listRecords(layers).filter((record) => !isSame(record)));
  const old = new Map(was!.map((record) => [getSlot(record), record]));
  const added = is!.filter((record) => {
    const former = old.get(getSlot(record));
    return !former || former.key !== record.key || !Bun.deepEquals(former.record, record.record);
  });
  const current = new Set(is!.map(getSlot));
  return { added, removed: [...old.keys()].filter((slot) => !current.has(slot)) };
};

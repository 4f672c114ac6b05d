import type { AdifRecord } from "./adif-record.ts";
import type { FileRecord, FirstLayer, Layers, OwnLayer, SecondLayer } from "./layers.ts";
import type { RecordOrigin } from "./origins/bits.ts";
import { fileSlot } from "./origins/owner.ts";
import { SERVICE_ORIGINS } from "./origins/services.ts";
import { isService, SERVICES, type Service } from "./source.ts";

/** A record of a contact, under the name by which its origin knows it. */
export interface NamedRecord {
  origin: RecordOrigin;
  /** `typed` by the owner; of files `file` or `report` and the fingerprint of the newest record; of a service what it answers and what it calls the contact: `qsl 2024…`. */
  key: string;
  /** Whether the service has it beside the record that the contact is known by. */
  isLinked: boolean;
  record: FileRecord;
}

const OWNER_KEYS = ["typed", "file", "report"] as const;

/** A contact has one current record under each of these. */
export const slotOf = ({ origin, key, isLinked }: Omit<NamedRecord, "record">): string =>
  isLinked ? `${origin} + ${key}` : `${origin} ${kindIn(key)}`;

const kindIn = (key: string): string => {
  const end = key.indexOf(" ");
  return end < 0 ? key : key.slice(0, end);
};

const nameIn = (key: string): string => key.slice(kindIn(key).length + 1);

type ServiceLayer = Record<string, AdifRecord> | AdifRecord;

/** A service answers one question or several. */
const answersIn = (layer: ServiceLayer): [kind: string, record: AdifRecord][] =>
  "fields" in layer ? [["record", layer as AdifRecord]] : Object.entries(layer as Record<string, AdifRecord>);

export const recordsIn = (layers: Layers): NamedRecord[] => {
  const records: NamedRecord[] = [];
  for (const key of OWNER_KEYS) {
    const layer = layers.own?.[key];
    if (!layer) continue;
    const record = key === "typed" ? { fields: layer as OwnLayer["typed"] & {} } : (layer as FileRecord);
    records.push({ origin: key === "typed" ? "own" : "file", key, isLinked: false, record });
  }
  for (const service of SERVICES) addRecords(records, service, layers[service]);
  return records;
};

const addRecords = (records: NamedRecord[], service: Service, layer: FirstLayer | SecondLayer | null): void => {
  if (layer === null) return;
  const { twins = {}, ...rest } = layer;
  const main = (layer.twins ? rest : layer) as ServiceLayer;
  for (const [kind, record] of answersIn(main)) {
    const name = SERVICE_ORIGINS[service].idOf(record) ?? "";
    records.push({ origin: service, key: `${kind} ${name}`, isLinked: false, record });
  }
  for (const [name, twin] of Object.entries(twins)) {
    for (const [kind, record] of answersIn(twin as ServiceLayer)) {
      records.push({ origin: service, key: `${kind} ${name}`, isLinked: true, record });
    }
  }
};

/** The layers of a contact from its current records. */
export const layersFrom = (records: Iterable<NamedRecord>): Layers => {
  const layers: Layers = { own: null, first: null, second: null };
  for (const { origin, key, isLinked, record } of records) {
    if (!isService(origin)) {
      layers.own ??= {};
      if (key === "typed") layers.own.typed = record.fields;
      else {
        layers.own[kindIn(key) as "file" | "report"] = record;
        KEYS.set(record, key);
      }
    } else if (isLinked) {
      const layer = (layers[origin] ??= {} as FirstLayer & SecondLayer);
      const twins = (layer.twins ??= {}) as Record<string, ServiceLayer>;
      twins[nameIn(key)] = withAnswer(twins[nameIn(key)], kindIn(key), record);
    } else {
      const { twins, ...main } = layers[origin] ?? {};
      const layer = withAnswer(main as ServiceLayer, kindIn(key), record);
      layers[origin] = (twins ? { ...layer, twins } : layer) as FirstLayer & SecondLayer;
    }
  }
  return layers;
};

const withAnswer = (layer: ServiceLayer | undefined, kind: string, record: AdifRecord): ServiceLayer =>
  kind === "record" ? record : { ...layer, [kind]: record };

/** By it a record of a file is known when it comes again, whatever has become of its contact. */
export const fileKeyOf = (record: FileRecord): string => {
  const fields = Object.entries(record.fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${fileSlot(record)} ${Bun.hash(JSON.stringify(fields)).toString(36)}`;
};

/** The keys under which records of files are kept. */
const KEYS = new WeakMap<FileRecord, string>();

/** Whether what files say of a contact comes from records of several files, so that none of them says it like this. */
export const isJoined = (record: FileRecord): boolean => {
  const key = KEYS.get(record);
  return key !== undefined && nameIn(key) !== "" && key !== fileKeyOf(record);
};

/** Call and minute as a file has them: a contact that was corrected since is found by them. Null where it has none. */
export const filedAsOf = ({ fields }: FileRecord): string | null => {
  const { CALL, QSO_DATE, TIME_ON = fields.TIME_OFF } = fields;
  return CALL && QSO_DATE && TIME_ON ? `${CALL.trim().toUpperCase()} ${QSO_DATE}${TIME_ON.slice(0, 4)}` : null;
};

/** The record of a file, under the key of the newest record that is part of it. */
export const withFileKey = (record: NamedRecord, key: string | undefined): NamedRecord =>
  key !== undefined && slotOf(record) === slotOf({ ...record, key }) ? { ...record, key } : record;

/** The records in which two states of a contact differ. */
export interface RecordChange {
  /** New ones, and new versions. */
  added: NamedRecord[];
  /** The slots that no longer have a record. */
  removed: string[];
}

export const recordChange = (before: Layers, after: Layers): RecordChange => {
  const isSame = ({ origin }: NamedRecord) => {
    const layer = isService(origin) ? origin : "own";
    return before[layer] === after[layer];
  };
  const [was, is] = [before, after].map((layers) => recordsIn(layers).filter((record) => !isSame(record)));
  const old = new Map(was!.map((record) => [slotOf(record), record]));
  const added = is!.filter((record) => {
    const former = old.get(slotOf(record));
    return !former || former.key !== record.key || !Bun.deepEquals(former.record, record.record);
  });
  const current = new Set(is!.map(slotOf));
  return { added, removed: [...old.keys()].filter((slot) => !current.has(slot)) };
};

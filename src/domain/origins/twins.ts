import { isOneRecord, NO_LAYERS, type Layers } from "../contact/layers.ts";
import type { Service } from "../jobs/source.ts";
import type { OneRecordOrigin, ServiceOrigin } from "./origin.ts";

/** What one record of a service says about a contact, in any form. */
type ServiceLayer = Record<string, unknown>;
type TwinnedLayer = ServiceLayer & { twins?: Record<string, ServiceLayer> };

const getLayer = (layers: Layers, service: Service): TwinnedLayer | null =>
  layers[service] as unknown as TwinnedLayer | null;

const setLayer = (layers: Layers, service: Service, layer: TwinnedLayer | null): Layers =>
  ({ ...layers, [service]: layer }) as unknown as Layers;

const toLayers = (service: Service, layer: ServiceLayer | null): Layers => setLayer(NO_LAYERS, service, layer);

/** Splits a layer into the record that identifies the contact and its other records by id. */
const splitLayer = ({
  twins = {},
  ...main
}: TwinnedLayer): { main: ServiceLayer; twins: Record<string, ServiceLayer> } => ({
  main,
  twins,
});

const joinLayer = (main: ServiceLayer, twins: Record<string, ServiceLayer>): TwinnedLayer =>
  Object.keys(twins).length > 0 ? { ...main, twins } : main;

const markAsFile = (layer: ServiceLayer): ServiceLayer =>
  isOneRecord(layer)
    ? { ...layer, via: "file" }
    : Object.fromEntries(Object.entries(layer).map(([kind, answer]) => [kind, { ...(answer as object), via: "file" }]));

/** The first, plus questions that only the second answers. */
const fillMissing = (known: ServiceLayer, record: ServiceLayer): ServiceLayer =>
  isOneRecord(known) ? known : { ...record, ...known };

/** The answers that are not known yet. */
const removeKnown = (record: ServiceLayer, known: ServiceLayer | null | undefined): ServiceLayer | null => {
  if (!known) return record;
  if (isOneRecord(record)) return null;
  const left = Object.entries(record).filter(([kind]) => known[kind] === undefined);
  return left.length === 0 ? null : Object.fromEntries(left);
};

/**
 * A service can have several records of one contact, if the log had it twice and the two were merged. All records are
 * kept, otherwise the next download would add the contact again. The first one that confirms speaks for all.
 */
export const addTwinSupport = (service: Service, origin: OneRecordOrigin): ServiceOrigin => {
  const nameOf = (layer: ServiceLayer) => origin.getIdFrom(toLayers(service, layer));
  const isConfirmed = (one: ServiceLayer) => origin.getConfirmation(toLayers(service, one)).confirmed;
  const findConfirming = <T extends Layers>(given: T): T => {
    const layers = addCarriedRecords(given);
    const layer = getLayer(layers, service);
    if (!layer?.twins) return layers;
    const { main, twins } = splitLayer(layer);
    return { ...layers, [service]: [main, ...Object.values(twins)].find(isConfirmed) ?? main };
  };
  const mergeTwin: ServiceOrigin["mergeTwin"] = (layers, record, part) => {
    const layer = getLayer(layers, service);
    if (layer === null) return origin.merge(layers, record, part);
    const { main, twins } = splitLayer(layer);
    const [known, id] = [nameOf(main), origin.idOf(record)];
    const isTwin = known !== null && id !== null && known !== id;
    const heard = getLayer(
      origin.merge(toLayers(service, isTwin ? (twins[id] ?? null) : main), record, part),
      service,
    )!;
    return setLayer(layers, service, isTwin ? joinLayer(main, { ...twins, [id]: heard }) : joinLayer(heard, twins));
  };
  return {
    ...origin,
    merge: (layers, record, part) =>
      (getLayer(addCarriedRecords(layers), service)?.twins ? mergeTwin : origin.merge)(layers, record, part),
    mergeTwin: mergeTwin,
    withBrought: addCarriedRecords,
    addCarried: addCarried,
    getIdFrom: (layers) => origin.getIdFrom(addCarriedRecords(layers)),
    isTwin: (layers, id) => getLayer(addCarriedRecords(layers), service)?.twins?.[id] !== undefined,
    forEachRecord: (layers, heard) => origin.forEachRecord(findConfirming(layers), heard),
    details: (layers) => origin.details(findConfirming(layers)),
    getConfirmation: (layers) => origin.getConfirmation(findConfirming(layers)),
    addCredits: (granted, layers) => origin.addCredits(granted, findConfirming(layers)),
    exportInto: (fields, qso) => origin.exportInto(fields, findConfirming(qso)),
    withoutMain: (layers) => removeMain(layers),
    mergeContact: (layers, other) => mergeLayer(layers, other),
    splitContact: (layers, before, after) => splitMerged(layers, before, after),
    restore: (said, into) => restoreLayer(said, into),
  };

  function addCarriedRecords<T extends Layers>(layers: T): T {
    const brought = layers.own?.brought?.[service] as TwinnedLayer | undefined;
    if (!brought) return layers;
    const said = getLayer(layers, service);
    let whole: TwinnedLayer | null = said;
    for (const [id, one] of listRecords(brought)) whole = putRecord(whole, id, markAsFile(one), fillMissing);
    return { ...layers, [service]: whole };
  }

  function addCarried(layers: Layers, theirs: Layers): Layers {
    const given = getLayer(theirs, service);
    if (given === null) return layers;
    const { brought, ...own } = layers.own ?? {};
    const said = getLayer(layers, service);
    let left = (brought?.[service] ?? null) as TwinnedLayer | null;
    for (const [id, one] of listRecords(given)) {
      const fresh = removeKnown(one, said && listRecords(said).find(([name]) => name === id)?.[1]);
      if (fresh !== null) left = putRecord(left, id, fresh, replaceRecord);
    }
    return left === null ? layers : { ...layers, own: { ...own, brought: { ...brought, [service]: left } } };
  }

  /** The records by the service's id, starting with the one that identifies the contact. */
  function listRecords(layer: TwinnedLayer): [id: string | null, record: ServiceLayer][] {
    const { main, twins } = splitLayer(layer);
    return [[nameOf(main), main], ...Object.entries(twins)];
  }

  function putRecord(
    layer: TwinnedLayer | null,
    id: string | null,
    record: ServiceLayer,
    join: (known: ServiceLayer, record: ServiceLayer) => ServiceLayer,
  ): TwinnedLayer {
    if (layer === null) return record;
    const { main, twins } = splitLayer(layer);
    if (id === null || id === nameOf(main)) return joinLayer(join(main, record), twins);
    return joinLayer(main, { ...twins, [id]: twins[id] ? join(twins[id], record) : record });
  }

  /** A newer record replaces an older one, but never removes a confirmation. */
  function replaceRecord(known: ServiceLayer, record: ServiceLayer): ServiceLayer {
    const newer = (old: ServiceLayer, fresh: ServiceLayer) => (isConfirmed(old) && !isConfirmed(fresh) ? old : fresh);
    if (isOneRecord(record)) return newer(known, record);
    const answers = Object.entries(record).map(([kind, answer]) => {
      const fresh = { [kind]: answer };
      return known[kind] === undefined ? fresh : newer({ [kind]: known[kind] }, fresh);
    });
    return Object.assign({}, known, ...answers);
  }

  function removeMain(layers: Layers): Layers {
    const { twins = {} } = getLayer(layers, service) ?? {};
    const [first, ...others] = Object.entries(twins);
    return setLayer(layers, service, first ? joinLayer(first[1], Object.fromEntries(others)) : null);
  }

  /** Merges the records of two contacts; none is lost. */
  function mergeLayer(layers: Layers, other: Layers): Layers {
    const [own, theirs] = [getLayer(layers, service), getLayer(other, service)];
    if (theirs === null) return layers;
    if (own === null) return setLayer(layers, service, theirs);
    const { main, twins } = splitLayer(own);
    const more = splitLayer(theirs);
    const id = nameOf(more.main);
    const [isConfirmed, isTheirs] = [main, more.main].map(
      (one) => origin.getConfirmation(toLayers(service, one)).confirmed,
    );
    const isNameless = id === null || id === nameOf(main);
    const kept = isNameless && isTheirs && !isConfirmed ? more.main : main;
    return setLayer(
      layers,
      service,
      joinLayer(kept, { ...(isNameless ? {} : { [id]: more.main }), ...more.twins, ...twins }),
    );
  }

  /** Removes what a merge added. What the service has since said about the remaining contact stays. */
  function splitMerged(now: Layers, before: Layers, after: Layers): Layers {
    const [is, was, became] = [now, before, after].map((layers) => getLayer(layers, service));
    if (Bun.deepEquals(was, became)) return now;
    if (!is || !was || nameOf(is) !== nameOf(was)) return setLayer(now, service, was ?? null);
    const { main, twins } = splitLayer(is);
    const brought = Object.keys(became?.twins ?? {}).filter((id) => !was.twins?.[id]);
    const left = Object.fromEntries(Object.entries(twins).filter(([id]) => !brought.includes(id)));
    return setLayer(now, service, joinLayer(main, left));
  }

  /** Adds what the service has said about a contact since it was merged into another. */
  function restoreLayer(said: Layers, into: Layers): Layers {
    const [own, theirs] = [getLayer(said, service), getLayer(into, service)];
    if (own === null || theirs === null) return said;
    const { main, twins } = splitLayer(theirs);
    const latest = (one: ServiceLayer, id: string | null) =>
      id === null ? one : id === nameOf(main) ? main : (twins[id] ?? one);
    const known = splitLayer(own);
    const back = Object.fromEntries(Object.entries(known.twins).map(([id, one]) => [id, latest(one, id)]));
    return setLayer(said, service, joinLayer(latest(known.main, nameOf(known.main)), back));
  }
};

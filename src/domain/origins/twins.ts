import { isOneRecord, NO_LAYERS, type Layers } from "../contact/layers.ts";
import type { Service } from "../jobs/source.ts";
import type { OneRecordOrigin, ServiceOrigin } from "./origin.ts";

/** What one record of a service says about a contact, in any form. */
type ServiceLayer = Record<string, unknown>;
type TwinnedLayer = ServiceLayer & { twins?: Record<string, ServiceLayer> };

const layerIn = (layers: Layers, service: Service): TwinnedLayer | null =>
  layers[service] as unknown as TwinnedLayer | null;

const withLayer = (layers: Layers, service: Service, layer: TwinnedLayer | null): Layers =>
  ({ ...layers, [service]: layer }) as unknown as Layers;

const alone = (service: Service, layer: ServiceLayer | null): Layers => withLayer(NO_LAYERS, service, layer);

/** Splits a layer into the record that identifies the contact and its other records by id. */
const parted = ({
  twins = {},
  ...main
}: TwinnedLayer): { main: ServiceLayer; twins: Record<string, ServiceLayer> } => ({
  main,
  twins,
});

const joined = (main: ServiceLayer, twins: Record<string, ServiceLayer>): TwinnedLayer =>
  Object.keys(twins).length > 0 ? { ...main, twins } : main;

const byFile = (layer: ServiceLayer): ServiceLayer =>
  isOneRecord(layer)
    ? { ...layer, via: "file" }
    : Object.fromEntries(Object.entries(layer).map(([kind, answer]) => [kind, { ...(answer as object), via: "file" }]));

/** The first, plus questions that only the second answers. */
const filled = (known: ServiceLayer, record: ServiceLayer): ServiceLayer =>
  isOneRecord(known) ? known : { ...record, ...known };

/** The answers that are not known yet. */
const withoutThose = (record: ServiceLayer, known: ServiceLayer | null | undefined): ServiceLayer | null => {
  if (!known) return record;
  if (isOneRecord(record)) return null;
  const left = Object.entries(record).filter(([kind]) => known[kind] === undefined);
  return left.length === 0 ? null : Object.fromEntries(left);
};

/**
 * A service can have several records of one contact, if the log had it twice and the two were merged. All records are
 * kept, otherwise the next download would add the contact again. The first one that confirms speaks for all.
 */
export const withTwins = (service: Service, origin: OneRecordOrigin): ServiceOrigin => {
  const nameOf = (layer: ServiceLayer) => origin.idIn(alone(service, layer));
  const isConfirmed = (one: ServiceLayer) => origin.confirmation(alone(service, one)).confirmed;
  const counting = <T extends Layers>(given: T): T => {
    const layers = withBrought(given);
    const layer = layerIn(layers, service);
    if (!layer?.twins) return layers;
    const { main, twins } = parted(layer);
    return { ...layers, [service]: [main, ...Object.values(twins)].find(isConfirmed) ?? main };
  };
  const hearBeside: ServiceOrigin["hearBeside"] = (layers, record, part) => {
    const layer = layerIn(layers, service);
    if (layer === null) return origin.hear(layers, record, part);
    const { main, twins } = parted(layer);
    const [known, id] = [nameOf(main), origin.idOf(record)];
    const isTwin = known !== null && id !== null && known !== id;
    const heard = layerIn(origin.hear(alone(service, isTwin ? (twins[id] ?? null) : main), record, part), service)!;
    return withLayer(layers, service, isTwin ? joined(main, { ...twins, [id]: heard }) : joined(heard, twins));
  };
  return {
    ...origin,
    hear: (layers, record, part) =>
      (layerIn(withBrought(layers), service)?.twins ? hearBeside : origin.hear)(layers, record, part),
    hearBeside,
    withBrought,
    bring,
    idIn: (layers) => origin.idIn(withBrought(layers)),
    isTwin: (layers, id) => layerIn(withBrought(layers), service)?.twins?.[id] !== undefined,
    speak: (layers, heard) => origin.speak(counting(layers), heard),
    details: (layers) => origin.details(counting(layers)),
    confirmation: (layers) => origin.confirmation(counting(layers)),
    addCredits: (granted, layers) => origin.addCredits(granted, counting(layers)),
    tell: (fields, qso) => origin.tell(fields, counting(qso)),
    withoutMain: (layers) => withoutMain(layers),
    merged: (layers, other) => mergedLayer(layers, other),
    parted: (layers, before, after) => partedLayer(layers, before, after),
    comeBack: (said, into) => comeBackLayer(said, into),
  };

  function withBrought<T extends Layers>(layers: T): T {
    const brought = layers.own?.brought?.[service] as TwinnedLayer | undefined;
    if (!brought) return layers;
    const said = layerIn(layers, service);
    let whole: TwinnedLayer | null = said;
    for (const [id, one] of recordsBy(brought)) whole = placed(whole, id, byFile(one), filled);
    return { ...layers, [service]: whole };
  }

  function bring(layers: Layers, theirs: Layers): Layers {
    const given = layerIn(theirs, service);
    if (given === null) return layers;
    const { brought, ...own } = layers.own ?? {};
    const said = layerIn(layers, service);
    let left = (brought?.[service] ?? null) as TwinnedLayer | null;
    for (const [id, one] of recordsBy(given)) {
      const fresh = withoutThose(one, said && recordsBy(said).find(([name]) => name === id)?.[1]);
      if (fresh !== null) left = placed(left, id, fresh, replaced);
    }
    return left === null ? layers : { ...layers, own: { ...own, brought: { ...brought, [service]: left } } };
  }

  /** The records by the service's id, starting with the one that identifies the contact. */
  function recordsBy(layer: TwinnedLayer): [id: string | null, record: ServiceLayer][] {
    const { main, twins } = parted(layer);
    return [[nameOf(main), main], ...Object.entries(twins)];
  }

  function placed(
    layer: TwinnedLayer | null,
    id: string | null,
    record: ServiceLayer,
    join: (known: ServiceLayer, record: ServiceLayer) => ServiceLayer,
  ): TwinnedLayer {
    if (layer === null) return record;
    const { main, twins } = parted(layer);
    if (id === null || id === nameOf(main)) return joined(join(main, record), twins);
    return joined(main, { ...twins, [id]: twins[id] ? join(twins[id], record) : record });
  }

  /** A newer record replaces an older one, but never removes a confirmation. */
  function replaced(known: ServiceLayer, record: ServiceLayer): ServiceLayer {
    const newer = (old: ServiceLayer, fresh: ServiceLayer) => (isConfirmed(old) && !isConfirmed(fresh) ? old : fresh);
    if (isOneRecord(record)) return newer(known, record);
    const answers = Object.entries(record).map(([kind, answer]) => {
      const fresh = { [kind]: answer };
      return known[kind] === undefined ? fresh : newer({ [kind]: known[kind] }, fresh);
    });
    return Object.assign({}, known, ...answers);
  }

  function withoutMain(layers: Layers): Layers {
    const { twins = {} } = layerIn(layers, service) ?? {};
    const [first, ...others] = Object.entries(twins);
    return withLayer(layers, service, first ? joined(first[1], Object.fromEntries(others)) : null);
  }

  /** Merges the records of two contacts; none is lost. */
  function mergedLayer(layers: Layers, other: Layers): Layers {
    const [own, theirs] = [layerIn(layers, service), layerIn(other, service)];
    if (theirs === null) return layers;
    if (own === null) return withLayer(layers, service, theirs);
    const { main, twins } = parted(own);
    const more = parted(theirs);
    const id = nameOf(more.main);
    const [isConfirmed, isTheirs] = [main, more.main].map((one) => origin.confirmation(alone(service, one)).confirmed);
    const isNameless = id === null || id === nameOf(main);
    const kept = isNameless && isTheirs && !isConfirmed ? more.main : main;
    return withLayer(
      layers,
      service,
      joined(kept, { ...(isNameless ? {} : { [id]: more.main }), ...more.twins, ...twins }),
    );
  }

  /** Removes what a merge added. What the service has since said about the remaining contact stays. */
  function partedLayer(now: Layers, before: Layers, after: Layers): Layers {
    const [is, was, became] = [now, before, after].map((layers) => layerIn(layers, service));
    if (Bun.deepEquals(was, became)) return now;
    if (!is || !was || nameOf(is) !== nameOf(was)) return withLayer(now, service, was ?? null);
    const { main, twins } = parted(is);
    const brought = Object.keys(became?.twins ?? {}).filter((id) => !was.twins?.[id]);
    const left = Object.fromEntries(Object.entries(twins).filter(([id]) => !brought.includes(id)));
    return withLayer(now, service, joined(main, left));
  }

  /** Adds what the service has said about a contact since it was merged into another. */
  function comeBackLayer(said: Layers, into: Layers): Layers {
    const [own, theirs] = [layerIn(said, service), layerIn(into, service)];
    if (own === null || theirs === null) return said;
    const { main, twins } = parted(theirs);
    const latest = (one: ServiceLayer, id: string | null) =>
      id === null ? one : id === nameOf(main) ? main : (twins[id] ?? one);
    const known = parted(own);
    const back = Object.fromEntries(Object.entries(known.twins).map(([id, one]) => [id, latest(one, id)]));
    return withLayer(said, service, joined(latest(known.main, nameOf(known.main)), back));
  }
};

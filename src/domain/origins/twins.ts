import { listAnswers, NO_LAYERS, type Answers, type Layers, type ServiceLayer } from "../contact/layers.ts";
import type { Service } from "../jobs/source.ts";
import type { OneRecordOrigin, ServiceOrigin } from "./origin.ts";

type Twins = Record<string, Answers>;

/** Splits a layer into the record that identifies the contact and its other records by id. */
const splitLayer = ({ twins = {}, ...main }: ServiceLayer): { main: Answers; twins: Twins } => ({ main, twins });

const joinLayer = (main: Answers, twins: Twins): ServiceLayer =>
  Object.keys(twins).length > 0 ? { ...main, twins } : main;

const markAsFile = (answers: Answers): Answers =>
  Object.fromEntries(listAnswers(answers).map(([kind, record]) => [kind, { ...record, via: "file" }]));

/** The first, plus questions that only the second answers. */
const fillMissing = (known: Answers, answers: Answers): Answers => ({ ...answers, ...known });

/** The answers that are not known yet. */
const removeKnown = (answers: Answers, known: Answers | null | undefined): Answers | null => {
  const left = listAnswers(answers).filter(([kind]) => known?.[kind] === undefined);
  return left.length === 0 ? null : Object.fromEntries(left);
};

/**
 * A service can have several records of one contact, if the log had it twice and the two were merged. All records are
 * kept, otherwise the next download would add the contact again. The first one that confirms speaks for all.
 */
export const addTwinSupport = (service: Service, origin: OneRecordOrigin): ServiceOrigin => {
  const setLayer = (layers: Layers, layer: ServiceLayer | null): Layers => ({ ...layers, [service]: layer });
  const toLayers = (layer: ServiceLayer | null): Layers => setLayer(NO_LAYERS, layer);
  const nameOf = (answers: Answers) => origin.getIdFrom(toLayers(answers));
  const isConfirmed = (answers: Answers) => origin.getConfirmation(toLayers(answers)).confirmed;
  const findConfirming = <T extends Layers>(given: T): T => {
    const layers = addCarriedRecords(given);
    const layer = layers[service];
    if (!layer?.twins) return layers;
    const { main, twins } = splitLayer(layer);
    return { ...layers, [service]: [main, ...Object.values(twins)].find(isConfirmed) ?? main };
  };
  const mergeTwin: ServiceOrigin["mergeTwin"] = (layers, record, part) => {
    const layer = layers[service];
    if (layer === null) return origin.merge(layers, record, part);
    const { main, twins } = splitLayer(layer);
    const [known, id] = [nameOf(main), origin.idOf(record)];
    const isTwin = known !== null && id !== null && known !== id;
    const heard = origin.merge(toLayers(isTwin ? (twins[id] ?? null) : main), record, part)[service]!;
    return setLayer(layers, isTwin ? joinLayer(main, { ...twins, [id]: heard }) : joinLayer(heard, twins));
  };
  return {
    ...origin,
    confirms: [`${service}Confirmed`],
    takeBack: (layers, before) => setLayer(layers, before[service]),
    merge: (layers, record, part) =>
      (addCarriedRecords(layers)[service]?.twins ? mergeTwin : origin.merge)(layers, record, part),
    mergeTwin,
    withBrought: addCarriedRecords,
    addCarried,
    getIdFrom: (layers) => origin.getIdFrom(addCarriedRecords(layers)),
    isTwin: (layers, id) => addCarriedRecords(layers)[service]?.twins?.[id] !== undefined,
    forEachRecord: (layers, heard) => origin.forEachRecord(findConfirming(layers), heard),
    details: (layers) => origin.details(findConfirming(layers)),
    getConfirmation: (layers) => origin.getConfirmation(findConfirming(layers)),
    addCredits: (granted, layers) => origin.addCredits(granted, findConfirming(layers)),
    exportInto: (fields, qso) => origin.exportInto(fields, findConfirming(qso)),
    withoutMain: removeMain,
    mergeContact: mergeLayer,
    splitContact: splitMerged,
    restore: restoreLayer,
  };

  function addCarriedRecords<T extends Layers>(layers: T): T {
    const brought = layers.own?.brought?.[service];
    if (!brought) return layers;
    let whole: ServiceLayer | null = layers[service];
    for (const [id, one] of listRecords(brought)) whole = putRecord(whole, id, markAsFile(one), fillMissing);
    return { ...layers, [service]: whole };
  }

  function addCarried(layers: Layers, theirs: Layers): Layers {
    const [said, given] = [layers[service], theirs[service]];
    if (given === null) return layers;
    const { brought, ...own } = layers.own ?? {};
    let left = brought?.[service] ?? null;
    for (const [id, one] of listRecords(given)) {
      const fresh = removeKnown(one, said && listRecords(said).find(([name]) => name === id)?.[1]);
      if (fresh !== null) left = putRecord(left, id, fresh, replaceRecord);
    }
    return left === null ? layers : { ...layers, own: { ...own, brought: { ...brought, [service]: left } } };
  }

  /** The records by the service's id, starting with the one that identifies the contact. */
  function listRecords(layer: ServiceLayer): [id: string | null, answers: Answers][] {
    const { main, twins } = splitLayer(layer);
    return [[nameOf(main), main], ...Object.entries(twins)];
  }

  function putRecord(
    layer: ServiceLayer | null,
    id: string | null,
    record: Answers,
    join: (known: Answers, record: Answers) => Answers,
  ): ServiceLayer {
    if (layer === null) return record;
    const { main, twins } = splitLayer(layer);
    if (id === null || id === nameOf(main)) return joinLayer(join(main, record), twins);
    return joinLayer(main, { ...twins, [id]: twins[id] ? join(twins[id], record) : record });
  }

  /** A newer record replaces an older one, but never removes a confirmation. */
  function replaceRecord(known: Answers, record: Answers): Answers {
    const newest = { ...known };
    for (const [kind, answer] of listAnswers(record)) {
      const old = known[kind];
      if (!old || !isConfirmed({ [kind]: old }) || isConfirmed({ [kind]: answer })) newest[kind] = answer;
    }
    return newest;
  }

  function removeMain(layers: Layers): Layers {
    const [first, ...others] = Object.entries(layers[service]?.twins ?? {});
    return setLayer(layers, first ? joinLayer(first[1], Object.fromEntries(others)) : null);
  }

  /** Merges the records of two contacts; none is lost. */
  function mergeLayer(layers: Layers, other: Layers): Layers {
    const [own, theirs] = [layers[service], other[service]];
    if (theirs === null) return layers;
    if (own === null) return setLayer(layers, theirs);
    const { main, twins } = splitLayer(own);
    const more = splitLayer(theirs);
    const id = nameOf(more.main);
    const isNameless = id === null || id === nameOf(main);
    const kept = isNameless && isConfirmed(more.main) && !isConfirmed(main) ? more.main : main;
    return setLayer(layers, joinLayer(kept, { ...(isNameless ? {} : { [id]: more.main }), ...more.twins, ...twins }));
  }

  /** Removes what a merge added. What the service has since said about the remaining contact stays. */
  function splitMerged(now: Layers, before: Layers, after: Layers): Layers {
    const [is, was, became] = [now[service], before[service], after[service]];
    if (Bun.deepEquals(was, became)) return now;
    if (!is || !was || nameOf(is) !== nameOf(was)) return setLayer(now, was);
    const { main, twins } = splitLayer(is);
    const brought = Object.keys(became?.twins ?? {}).filter((id) => !was.twins?.[id]);
    const left = Object.fromEntries(Object.entries(twins).filter(([id]) => !brought.includes(id)));
    return setLayer(now, joinLayer(main, left));
  }

  /** Adds what the service has said about a contact since it was merged into another. */
  function restoreLayer(said: Layers, into: Layers): Layers {
    const [own, theirs] = [said[service], into[service]];
    if (own === null || theirs === null) return said;
    const { main, twins } = splitLayer(theirs);
    const latest = (one: Answers, id: string | null) =>
      id === null ? one : id === nameOf(main) ? main : (twins[id] ?? one);
    const known = splitLayer(own);
    const back = Object.fromEntries(Object.entries(known.twins).map(([id, one]) => [id, latest(one, id)]));
    return setLayer(said, joinLayer(latest(known.main, nameOf(known.main)), back));
  }
};

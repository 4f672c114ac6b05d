import type { Database as Connection } from "bun:sqlite";
import { ORIGIN_IDS } from "../../src/domain/origins/bits.ts";
import type { ServiceLayer, ServiceRecord } from "../../src/domain/contact/layers.ts";
import { listRecords, getSlot } from "../../src/domain/contact/records.ts";
import { toNewRecord } from "../../src/storage/log/records.ts";
import { layersAfter, layersBefore } from "./changes.ts";
import { unpack, type PackedLayers } from "./packed.ts";

interface Contact extends PackedLayers {
  id: number;
  userId: number;
  createdAt: number;
}

/** What happened to a contact: a change of a job, or what a person or a rollback did. */
interface Event {
  id: number;
  userId: number;
  jobId: number | null;
  qsoId: number;
  cause: "job" | "hand" | "rollback";
  before: Uint8Array | null;
  after: Uint8Array | null;
  at: number;
}

/** The changes keep their order; what persons and rollbacks did stands behind the change that was the newest then. */
const NUMBERED = `
  CREATE TEMP TABLE events AS
  SELECT row_number() OVER (ORDER BY place, is_past, old_id) AS id, * FROM (
    SELECT c.id AS place, 0 AS is_past, c.id AS old_id, j.user_id, c.job_id, c.qso_id, 'job' AS cause,
           c.before_data, c.after_data, c.created_at AS at
    FROM old.qso_changes c JOIN old.sync_jobs j ON j.id = c.job_id
    UNION ALL
    SELECT after_change, 1, id, user_id, NULL, qso_id, cause, before_data, NULL, at FROM old.qso_pasts)`;

const EVENTS_OF = `
  SELECT id, user_id AS userId, job_id AS jobId, qso_id AS qsoId, cause, before_data AS before, after_data AS after, at
  FROM temp.events WHERE qso_id = ? ORDER BY id DESC`;

const CONTACTS = `
  SELECT q.id, q.user_id AS userId, q.created_at AS createdAt, q.own,
         coalesce(q.first, f.layer) AS first, coalesce(q.second, s.layer) AS second
  FROM old.qsos q LEFT JOIN old.first_layers f ON f.qso_id = q.id LEFT JOIN old.second_layers s ON s.qso_id = q.id
  ORDER BY q.id`;

/** Contacts that are gone. What a deletion kept of one stands for those whose changes are gone too. */
const GONE = `
  SELECT qso_id AS id, max(user_id) AS userId FROM temp.events
  WHERE qso_id NOT IN (SELECT id FROM old.qsos) GROUP BY qso_id ORDER BY qso_id`;

const DELETED = `
  SELECT qso_id AS id, user_id AS userId, deleted_at AS at, row_before AS before FROM old.qso_tombstones
  WHERE qso_id IS NOT NULL AND qso_id NOT IN (SELECT id FROM old.qsos)
    AND qso_id NOT IN (SELECT qso_id FROM temp.events) ORDER BY id`;

/** Writes the records of all contacts, and the changes that name them. */
export const convertRecords = (db: Connection): void => {
  db.run(NUMBERED);
  db.run("CREATE INDEX temp.events_qso ON events (qso_id)");
  const story = new Story(db);
  const eventsOf = db.query<Event, [number]>(EVENTS_OF);
  for (const contact of db.query<Contact, []>(CONTACTS).all()) story.tell(contact, contact, eventsOf.all(contact.id));
  for (const contact of db.query<Pick<Contact, "id" | "userId">, []>(GONE).all()) {
    story.tell({ ...contact, createdAt: 0 }, null, eventsOf.all(contact.id));
  }
  for (const { id, userId, at, before } of db
    .query<{ id: number; userId: number; at: number; before: Uint8Array }, []>(DELETED)
    .all()) {
    const deletion = { id: 0, userId, jobId: null, qsoId: id, cause: "hand" as const, before, after: null, at };
    story.tell({ id, userId, createdAt: at }, null, [deletion]);
  }
  for (const { id, before } of db
    .query<{ id: number; before: number }, []>(
      "SELECT id, rollback ->> 'before' AS before FROM main.sync_jobs WHERE rollback ->> 'before' > 0",
    )
    .all()) {
    db.run(
      `UPDATE main.sync_jobs SET rollback = json_set(rollback, '$.before',
         (SELECT coalesce(min(id), 0) FROM temp.events WHERE is_past = 0 AND old_id >= ?)) WHERE id = ?`,
      [before, id],
    );
  }
};

class Story {
  readonly #addRecord;
  readonly #markOutdated;
  readonly #addChange;

  constructor(db: Connection) {
    this.#addRecord = db.query<
      { id: number },
      [number, number, number | null, number, string, string | null, number | null, number, string]
    >(
      `INSERT INTO main.records (user_id, qso_id, placed_as, origin, record_key, filed_as, job_id, received_at, record)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    );
    this.#markOutdated = db.query<null, [number]>("UPDATE main.records SET outdated = 1 WHERE id = ?");
    this.#addChange = db.query<
      null,
      [number, number, number | null, number, string, string, string | null, string | null, number]
    >(
      `INSERT INTO main.qso_changes
         (id, user_id, job_id, qso_id, cause, change_type, before_data, after_data, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  /** Everything that a contact's records ever said, from the first state that is known to what it is. */
  tell(
    { id: qsoId, userId, createdAt }: Pick<Contact, "id" | "userId" | "createdAt">,
    now: PackedLayers | null,
    newestFirst: readonly Event[],
  ): void {
    const states: { event: Event; before: PackedLayers | null; after: PackedLayers | null }[] = [];
    let state = now;
    for (const event of newestFirst) {
      const after = event.cause === "job" ? layersAfter({ ...event, after: event.after! }, state) : state;
      state = layersBefore(event.before, after);
      states.push({ event, before: state, after });
    }
    const known = new Map<string, number>();
    const said = (layers: PackedLayers | null, jobId: number | null, at: number): number[] =>
      recordsOf(layers).map(({ origin, key, isLinked, record }) => {
        const { filedAs, record: text } = toNewRecord({ origin, key, isLinked, record });
        const name = JSON.stringify([origin, key, isLinked, text]);
        const placedAs = isLinked ? null : qsoId;
        const id =
          known.get(name) ??
          this.#addRecord.get(userId, qsoId, placedAs, ORIGIN_IDS[origin], key, filedAs, jobId, at, text)!.id;
        known.set(name, id);
        return id;
      });
    let current = said(state, null, createdAt);
    for (const { event, before, after } of states.reverse()) {
      const { id, jobId, cause, at } = event;
      const was = said(before, null, at);
      current = said(after, jobId, at);
      if (id === 0) continue;
      const kind = before === null ? "added" : after === null ? "deleted" : "updated";
      const [from, to] = [before && JSON.stringify(was), after && JSON.stringify(current)];
      this.#addChange.run(id, userId, jobId, qsoId, cause, kind, from, to, at);
    }
    current = said(now, null, createdAt);
    for (const id of known.values()) if (!current.includes(id)) this.#markOutdated.run(id);
  }
}

const recordsOf = (packed: PackedLayers | null): ReturnType<typeof listRecords> => {
  if (packed === null) return [];
  const { own, first, second } = packed;
  const records = listRecords({ own: layer(own), first: layer(first), second: nameAnswers(layer(second)) });
  // Two records of one slot never speak at the same time.
  return [...new Map(records.map((record) => [getSlot(record), record])).values()];
};

/** The preview did not name the only question that this service answers. */
const nameAnswers = (
  layer: (ServiceRecord & { twins?: Record<string, ServiceRecord> }) | null,
): ServiceLayer | null => {
  if (layer === null) return null;
  const { twins, ...record } = layer;
  const others = Object.entries(twins ?? {}).map(([id, twin]) => [id, { record: twin }]);
  return { record, ...(twins && { twins: Object.fromEntries(others) }) };
};

const layer = <Layer>(bytes: Uint8Array | null): Layer | null => (bytes === null ? null : unpack<Layer>(bytes));

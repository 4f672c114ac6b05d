/** @jsxImportSource @kitajs/html */
import { describeField, describeValue, nameJob } from "../../src/domain/jobs/job-words.ts";
import {
  groupRollbackContacts,
  isWhole,
  describeOthers,
  describePreviewed,
  type LaterJob,
  type PreviewedContact,
  type PreviewedContacts,
  type StoppedJob,
} from "../../src/domain/jobs/rollback-words.ts";
import { byService, type Source } from "../../src/domain/jobs/source.ts";
import type { JobView } from "../../src/domain/jobs/sync-job.ts";
import { Form, Refusal, type Outcome } from "../form.tsx";
import { grouped, utc } from "../words.ts";
import { Lead } from "../partials/lead.tsx";
import { Table } from "../partials/table.tsx";
import { JOB_TEXTS } from "../texts/jobs.ts";
import { CallLink } from "../partials/contacts/call-link.tsx";

const WORDS = JOB_TEXTS.rollback;

interface RollbackProps {
  job: JobView;
  /** Undo a completed import instead of rolling back a failed or stale job. */
  undo: boolean;
  preview: {
    deleted: number;
    restored: number;
    /** The first ones if there are many. */
    kept: readonly (PreviewedContact & { field: string; value: unknown; reason: string })[];
    keptTotal: number;
    later: readonly LaterJob[];
    stopped: readonly StoppedJob[];
    staying: number;
    contacts: PreviewedContacts;
  } | null;
}

const KEPT_SHOWN = 50;

/** The preview of a rollback. */
export const Rollback = ({ job, undo, preview, problem }: RollbackProps & Outcome) => {
  const verb = undo ? "undo" : "rollback";
  const words = undo ? nameUndo(job) : WORDS.title;
  return (
    <section class="card middle" id="rollback-section">
      <h1 safe>{`${words}?`}</h1>
      <p safe>{WORDS.job(nameJob(job), utc(job.createdAt), job.id)}</p>
      {preview === null ? (
        <>
          <Refusal of={verb} problem={problem} />
          <p>
            <a class="button" href={`jobs/${job.id}`}>
              {WORDS.back}
            </a>
          </p>
        </>
      ) : (
        <>
          <Consequences preview={preview} from={job.source} />
          <Form form={verb} action={`jobs/${job.id}/${verb}`} problem={problem}>
            <div class="buttons">
              <button class="danger" id={`${verb}-confirm`} safe>
                {words}
              </button>
              <a class="button" href={`jobs/${job.id}`}>
                {WORDS.cancel}
              </a>
            </div>
          </Form>
          <Details preview={preview} />
        </>
      )}
    </section>
  );
};

export const nameUndo = ({ source, client }: Pick<JobView, "source" | "client">): string => {
  if (source === "feed") return WORDS.undoLogged(client ?? WORDS.aProgram);
  if (source === "repair") return WORDS.undoBulkEdit;
  return source === "file" ? WORDS.undoImport : WORDS.undoSync;
};

const NOTHING_LOST: Record<Source, string> = {
  ...byService(() => WORDS.nextSync),
  file: WORDS.importAgain,
  feed: WORDS.sentAgain,
  repair: "",
};

interface PreviewProps {
  preview: NonNullable<RollbackProps["preview"]>;
  from: Source;
}

/** Warnings come first: what other jobs lose or stop. Then what the user loses, and what comes back. */
const Consequences = ({ preview: { deleted, restored, later, stopped }, from }: PreviewProps) => {
  const others = describeOthers({ later, stopped });
  const losses = describeOwn(deleted, restored);
  return (
    <>
      {others.length !== 0 && (
        <Lead kind="wait" title={others[0]!}>
          {others.slice(1).map((words) => (
            <p safe>{words}</p>
          ))}
        </Lead>
      )}
      <ul class="plain">
        {losses.map((words) => (
          <li safe>{words}</li>
        ))}
        {deleted !== 0 && NOTHING_LOST[from] !== "" && <li safe>{NOTHING_LOST[from]}</li>}
      </ul>
    </>
  );
};

const describeOwn = (deleted: number, restored: number): string[] => {
  if (deleted + restored === 0) return [WORDS.noChanges];
  return [...(deleted > 0 ? [WORDS.deleted(deleted)] : []), ...(restored > 0 ? [WORDS.restored(restored)] : [])];
};

/** Every contact, below the buttons. */
const Details = ({
  preview: { deleted, restored, kept, keptTotal, staying, contacts },
}: Omit<PreviewProps, "from">) => (
  <>
    {groupRollbackContacts({ deleted, restored, staying, contacts }).map((fate) => (
      <Named {...fate} />
    ))}
    {kept.length !== 0 && <Kept kept={kept} total={keptTotal} />}
  </>
);

/** The contacts, one line each. */
const Named = ({ title, contacts, total }: { title: string; contacts: readonly PreviewedContact[]; total: number }) => (
  <details>
    <summary safe>{`${title}: ${grouped(total)}`}</summary>
    <ul class="plain">
      {contacts.map((contact) => (
        <li>
          <Contact contact={contact} />
        </li>
      ))}
      {total > contacts.length && (
        <li class="muted" safe>
          {WORDS.more(total - contacts.length)}
        </li>
      )}
    </ul>
  </details>
);

const Contact = ({ contact }: { contact: PreviewedContact }) => (
  <>
    <CallLink id={contact.qsoId} call={contact.call} /> <span safe>{describePreviewed(contact)}</span>
  </>
);

interface KeptProps {
  kept: NonNullable<RollbackProps["preview"]>["kept"];
  total: number;
}

const Kept = ({ kept, total }: KeptProps) => (
  <details>
    <summary>{WORDS.kept}</summary>
    <Table
      caption={WORDS.kept}
      class="stack"
      rows={kept.slice(0, KEPT_SHOWN)}
      columns={[
        { head: WORDS.qso, isName: true, class: "full", markup: (contact) => <Contact contact={contact} /> },
        { head: WORDS.field, label: WORDS.field, text: ({ field }) => describeField(field) },
        {
          head: WORDS.value,
          label: WORDS.value,
          class: "detail",
          text: ({ field, value }) => (isWhole(field) ? WORDS.everything : describeValue(field, value)),
        },
        { head: WORDS.why, class: "full", text: ({ reason }) => reason },
      ]}
    />
    {total > KEPT_SHOWN && (
      <p class="muted" safe>
        {WORDS.moreKept(total - KEPT_SHOWN)}
      </p>
    )}
  </details>
);

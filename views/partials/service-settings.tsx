/** @jsxImportSource @kitajs/html */
import { MAX_INTERVAL_HOURS, MIN_INTERVAL_HOURS } from "../../src/domain/jobs/auto-sync.ts";
import type { CredentialField } from "../../src/domain/jobs/provider.ts";
import { Done, Field, Form, Refusal, type Outcome } from "../form.tsx";
import { getMessage } from "../settings-words.ts";
import { fromNow } from "../words.ts";
import { Standing, SyncTimes, type ServiceStanding } from "./board.tsx";

export interface SetService extends ServiceStanding {
  help: string;
  fields: readonly CredentialField[];
  checkedAt: number | null;
  callsign: string | null;
  book: string | null;
}

interface ServiceProps extends Outcome {
  service: SetService;
  mayChange: boolean;
  now: number;
}

/** The credentials and schedule of one service. */
export const ServiceCard = ({ service, mayChange, now, problem, done }: ServiceProps) => {
  const { source, label, help, schedule } = service;
  const section = `service-${source}`;
  const form = `schedule-${source}`;
  return (
    <section class="card" id={section} aria-labelledby={`${section}-title`}>
      <div class="head">
        <h2 id={`${section}-title`} safe>
          {label}
        </h2>
        <span>
          <Standing service={service} />
        </span>
      </div>
      <p class="help" safe>
        {help}
      </p>
      {mayChange ? <CredentialForms service={service} section={section} now={now} problem={problem} done={done} /> : ""}
      <hr />
      <h3>Schedule</h3>
      <SyncTimes schedule={schedule} now={now} />
      <Form
        form={form}
        action="settings/auto-sync"
        section={section}
        problem={problem}
        class="row"
        label={`${label} schedule`}
      >
        <Done words={getMessage(done, "schedule", `-${source}`)} />
        <input type="hidden" name="source" value={source} />
        <label class="check" for={`${form}-enabled`}>
          <input
            type="checkbox"
            id={`${form}-enabled`}
            name="enabled"
            value="on"
            checked={problem?.form === form ? problem.values.enabled === "on" : schedule.enabled}
          />
          Sync every
        </label>
        <Field
          form={form}
          name="intervalHours"
          label="Hours"
          type="number"
          class="short"
          min={MIN_INTERVAL_HOURS}
          max={MAX_INTERVAL_HOURS}
          value={String(schedule.intervalHours)}
          problem={problem}
        />
        <button id={`${form}-save`}>Save schedule</button>
      </Form>
    </section>
  );
};

const CredentialForms = ({
  service,
  section,
  now,
  problem,
  done,
}: Omit<ServiceProps, "mayChange"> & { section: string }) => {
  const { source, label, fields, configured, state, callsign, checkedAt, book, warning } = service;
  const form = `credentials-${source}`;
  const of = `-${source}`;
  return (
    <>
      <Done
        words={getMessage(done, "credentials", of) ?? getMessage(done, "tested", of) ?? getMessage(done, "cleared", of)}
      />
      {configured ? (
        <p class="muted">
          Your account is stored encrypted and never shown.
          {callsign ? (
            <>
              {" "}
              For{" "}
              <span class="call" safe>
                {callsign}
              </span>
              .
            </>
          ) : (
            ""
          )}
          {checkedAt === null ? "" : <span safe>{` Last used ${fromNow(checkedAt, now)}.`}</span>}
          {book === null ? "" : <span safe>{` Logbook of ${book}.`}</span>}
        </p>
      ) : (
        ""
      )}
      {warning === null ? (
        ""
      ) : (
        <p class="warn-text" safe>
          {warning}
        </p>
      )}
      <Refusal of={`test-${source}`} problem={problem} />
      {configured ? (
        <div class="buttons">
          <Form form={`test-${source}`} action={`settings/credentials/${source}/test`} section={section}>
            <button id={`test-${source}-button`} aria-label={`Test the ${label} account`}>
              Test
            </button>
          </Form>
        </div>
      ) : (
        ""
      )}
      {configured ? (
        <details open={problem?.form === `clear-${source}`}>
          <summary id={`clear-${source}-summary`}>Remove account…</summary>
          <Form
            form={`clear-${source}`}
            action={`settings/credentials/${source}/clear`}
            section={section}
            problem={problem}
          >
            <p>Syncing stops until you enter it again. Your log is kept.</p>
            <button id={`clear-${source}-button`} class="danger" aria-label={`Remove ${label} account`}>
              Remove account
            </button>
          </Form>
        </details>
      ) : (
        ""
      )}
      <details open={!configured || state === "rejected" || state === "sealed_elsewhere" || problem?.form === form}>
        <summary id={`${form}-summary`}>{configured ? "Replace account" : "Enter account"}</summary>
        <Form form={form} action={`settings/credentials/${source}`} section={section} problem={problem}>
          {fields.map(({ name, label: words, secret, required, help }) => (
            <Field
              form={form}
              name={name}
              label={required ? words : `${words} (optional)`}
              type={secret ? "password" : "text"}
              autocomplete={secret ? "new-password" : "off"}
              help={help}
              maxlength={500}
              required={required}
              problem={problem}
            />
          ))}
          <button class="primary" id={`${form}-save`}>
            Save account
          </button>
        </Form>
      </details>
    </>
  );
};

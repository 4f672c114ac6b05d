/** @jsxImportSource @kitajs/html */
import type { CredentialField } from "../../../src/domain/jobs/provider.ts";
import { Choice, Done, Field, Form, Refusal, type Outcome } from "../../form.tsx";
import { fromNow } from "../../words.ts";
import { Standing, SyncTimes, type ServiceStanding } from "./service-standing.tsx";
import { getMessage, SETTINGS_TEXTS } from "../../texts/settings.ts";

const WORDS = SETTINGS_TEXTS.service;

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

/** The account of one service. */
export const ServiceCard = ({ service, mayChange, now, problem, done }: ServiceProps) => {
  const { source, label, help, configured } = service;
  const section = `service-${source}`;
  return (
    <section class="card" id={section} aria-labelledby={`${section}-title`}>
      <div class="head">
        <h3 id={`${section}-title`} safe>
          {label}
        </h3>
        <span>
          <Standing service={service} />
        </span>
      </div>
      <p class="help" safe>
        {help}
      </p>
      {!mayChange ? (
        ""
      ) : (configured || problem?.form === `credentials-${source}`) && problem?.form !== `connect-${source}` ? (
        <CredentialForms service={service} section={section} now={now} problem={problem} done={done} />
      ) : (
        <>
          <Done words={getMessage(done, "cleared", `-${source}`)} />
          <p>{WORDS.about}</p>
          <ConnectForm service={service} action={`settings/credentials/${source}/connect`} problem={problem} />
        </>
      )}
    </section>
  );
};

const INTERVALS = [
  ["off", WORDS.off],
  ["6", WORDS.every6Hours],
  ["12", WORDS.every12Hours],
  ["24", WORDS.everyDay],
  ["48", WORDS.every2Days],
  ["168", WORDS.everyWeek],
  ["other", WORDS.other],
] as const;

const SCHEDULE = "schedule";

/** The schedules of all services, saved together. */
export const ScheduleCard = ({
  services,
  now,
  problem,
  done,
}: Outcome & { services: readonly SetService[]; now: number }) => (
  <section class="card" id="schedule-section" aria-labelledby="schedule-title">
    <h3 id="schedule-title">{WORDS.schedule}</h3>
    <Form form={SCHEDULE} action="settings/auto-sync" section="schedule-section" problem={problem}>
      <Done words={getMessage(done, SCHEDULE)} />
      {services.map(({ source, label, schedule }) => {
        const typed = problem?.form === SCHEDULE ? problem.values : undefined;
        const hours = String(schedule.intervalHours);
        const known = INTERVALS.some(([value]) => value === hours) ? hours : "other";
        return (
          <div class="interval">
            <Choice
              form={SCHEDULE}
              name={source}
              label={WORDS.sync(label)}
              options={INTERVALS}
              value={typed?.[source] ?? (schedule.enabled ? known : "off")}
            />
            <Field
              form={SCHEDULE}
              name={`${source}-hours`}
              label={WORDS.hours(label)}
              class="short"
              value={hours}
              help={WORDS.hoursHelp}
              problem={problem}
            />
            <SyncTimes schedule={schedule} now={now} />
          </div>
        );
      })}
      <button class="primary" id="schedule-save">
        {WORDS.saveSchedule}
      </button>
    </Form>
  </section>
);

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
      <Done words={getMessage(done, "credentials", of) ?? getMessage(done, "tested", of)} />
      <Connected done={done} source={source} />
      {configured && (
        <p class="muted">
          {WORDS.stored}
          {callsign !== null && (
            <>
              {" "}
              {WORDS.for}{" "}
              <span class="call" safe>
                {callsign}
              </span>
              .
            </>
          )}
          {checkedAt !== null && <span safe>{WORDS.lastUsed(fromNow(checkedAt, now))}</span>}
          {book !== null && <span safe>{WORDS.logbook(book)}</span>}
        </p>
      )}
      {warning !== null && (
        <p class="warn-text" safe>
          {warning}
        </p>
      )}
      <Refusal of={`test-${source}`} problem={problem} />
      {configured && (
        <div class="buttons">
          <form method="post" action={`sync/${source}`}>
            <button id={`sync-${source}-now`} aria-label={WORDS.syncNowLabel(label)}>
              {WORDS.syncNow}
            </button>
          </form>
          <Form form={`test-${source}`} action={`settings/credentials/${source}/test`} section={section}>
            <button id={`test-${source}-button`} aria-label={WORDS.testLabel(label)}>
              {WORDS.test}
            </button>
          </Form>
        </div>
      )}
      {configured && (
        <details open={problem?.form === `clear-${source}`}>
          <summary id={`clear-${source}-summary`}>{WORDS.remove}</summary>
          <Form
            form={`clear-${source}`}
            action={`settings/credentials/${source}/clear`}
            section={section}
            problem={problem}
          >
            <p>{WORDS.removeNote}</p>
            <button id={`clear-${source}-button`} class="danger" aria-label={WORDS.removeLabel(label)}>
              {WORDS.removeNow}
            </button>
          </Form>
        </details>
      )}
      <details open={!configured || state === "rejected" || state === "sealed_elsewhere" || problem?.form === form}>
        <summary id={`${form}-summary`}>{configured ? WORDS.replace : WORDS.enter}</summary>
        <Form form={form} action={`settings/credentials/${source}`} section={section} problem={problem}>
          <AccountFields form={form} fields={fields} problem={problem} />
          <button class="primary" id={`${form}-save`}>
            {WORDS.save}
          </button>
        </Form>
      </details>
    </>
  );
};

/** After connecting, with a link to the first sync. */
const Connected = ({ done, source }: Pick<Outcome, "done"> & Pick<SetService, "source">) => {
  const jobId = done?.startsWith(`connected-${source}-`) ? Number(done.split("-").at(-1)) : Number.NaN;
  return Number.isInteger(jobId) ? (
    <p class="done" data-say="">
      {WORDS.connected} <a href={`jobs/${jobId}`}>{WORDS.firstSync}</a>
    </p>
  ) : (
    ""
  );
};

type AccountFieldsProps = Outcome & { form: string; fields: readonly CredentialField[] };

const AccountFields = ({ form, fields, problem }: AccountFieldsProps) => (
  <>
    {fields.map(({ name, label, secret, required, help }) => (
      <Field
        form={form}
        name={name}
        label={required ? label : WORDS.optional(label)}
        type={secret ? "password" : "text"}
        autocomplete={secret ? "new-password" : "off"}
        help={help}
        maxlength={500}
        required={required}
        problem={problem}
      />
    ))}
  </>
);

interface ConnectProps extends Outcome {
  service: Pick<SetService, "source" | "label" | "fields">;
  action: string;
}

/** Saves the account, tests it, syncs, and schedules daily syncs in one action. */
export const ConnectForm = ({ service: { source, label, fields }, action, problem }: ConnectProps) => {
  const form = `connect-${source}`;
  return (
    <Form form={form} action={action} problem={problem} label={WORDS.connect(label)}>
      <AccountFields form={form} fields={fields} problem={problem} />
      <button class="primary" id={`${form}-go`} safe>
        {WORDS.connect(label)}
      </button>
    </Form>
  );
};

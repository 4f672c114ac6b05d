/** @jsxImportSource @kitajs/html */
import {
  EVENT_WORDS,
  KIND_WORDS,
  MAX_ADDRESS_LENGTH,
  NOTICE_EVENTS,
  TARGET_KINDS,
  type NoticeEvent,
  type TargetView,
} from "../../src/domain/people/notice.ts";
import { formatCount } from "../../src/kernel/number-text.ts";
import { Choice, Done, Field, Form, Refusal, type Outcome } from "../form.tsx";
import { getMessage } from "../settings-words.ts";
import { fromNow } from "../words.ts";

interface TargetProps extends Outcome {
  targets: readonly TargetView[];
  /** The key of a new webhook, shown only once. */
  newKey: string | undefined;
  mayChange: boolean;
  hasMail: boolean;
  now: number;
}

const SECTION = "notices";

/** The user's notification targets and their state. */
export const NoticeTargets = ({ targets, newKey, mayChange, hasMail, now, problem, done }: TargetProps) => (
  <section class="card" id={SECTION} aria-labelledby="notices-title">
    <h2 id="notices-title">Notifications</h2>
    <p class="help">
      qsolog sends news about your log to a webhook or ntfy topic{hasMail ? ", or by mail," : ""} within two minutes. It
      stores the address encrypted.
    </p>
    <Done
      words={getMessage(done, "notice") ?? getMessage(done, "notice-removed") ?? getMessage(done, "notice-tested")}
    />
    {newKey ? (
      <div class="note" role="status">
        <p>Use this key to check the signatures of this webhook. Copy it now: you will not see it again.</p>
        <code class="secret" id="new-notice-key" safe>
          {newKey}
        </code>
      </div>
    ) : (
      ""
    )}
    {targets.map((target) => (
      <Target target={target} mayChange={mayChange} now={now} problem={problem} />
    ))}
    {mayChange ? <NewTarget problem={problem} hasMail={hasMail} /> : ""}
  </section>
);

const Target = ({
  target,
  mayChange,
  now,
  problem,
}: { target: TargetView; mayChange: boolean; now: number } & Outcome) => {
  const { id, kind, host, events } = target;
  const form = `notice-${id}`;
  const name = `${KIND_WORDS[kind]} at ${host}`;
  return (
    <div>
      <h3 safe>{name}</h3>
      <p class={target.problem === null ? "muted" : "warn-text"} safe>
        {describeTargetState(target, now)}
      </p>
      {mayChange ? (
        <>
          <Refusal of={`${form}-test`} problem={problem} />
          <Form form={form} action={`settings/notices/${id}`} section={SECTION} problem={problem} class="row">
            <Events form={form} chosen={problem?.form === form ? parseChosen(problem.values) : events} />
            <button class="small-button" id={`${form}-save`}>
              Save
            </button>
          </Form>
          <div class="buttons">
            <Form form={`${form}-test`} action={`settings/notices/${id}/test`} section={SECTION}>
              <button class="small-button" id={`${form}-test-button`} aria-label={`Test ${name}`}>
                Test
              </button>
            </Form>
            <Form form={`${form}-remove`} action={`settings/notices/${id}/remove`} section={SECTION} problem={problem}>
              <button class="small-button danger" id={`${form}-remove-button`} aria-label={`Remove ${name}`}>
                Remove
              </button>
            </Form>
          </div>
        </>
      ) : (
        ""
      )}
    </div>
  );
};

const describeTargetState = ({ problem, lastSentAt, waiting, events }: TargetView, now: number): string => {
  const last = lastSentAt === null ? "Nothing sent yet." : `Last sent ${fromNow(lastSentAt, now)}.`;
  const line = waiting === 0 ? "" : ` ${formatCount(waiting, "notification")} waiting.`;
  const wrong = problem === null ? "" : ` ${problem}`;
  return `Tells of ${events.map((event) => EVENT_WORDS[event]).join(", ")}. ${last}${line}${wrong}`;
};

const NewTarget = ({ problem, hasMail }: Outcome & { hasMail: boolean }) => {
  const form = "notice";
  const own = problem?.form === form ? problem.values : undefined;
  return (
    <Form form={form} action="settings/notices" section={SECTION} problem={problem} label="New notification target">
      <Choice
        form={form}
        name="kind"
        label="Kind"
        options={TARGET_KINDS.filter((kind) => hasMail || kind !== "mail").map(
          (kind) => [kind, KIND_WORDS[kind]] as const,
        )}
        value={own?.kind}
      />
      <Field
        form={form}
        name="url"
        label="Address"
        type="password"
        autocomplete="off"
        help="URL of the webhook or topic, such as https://ntfy.sh/my-log. You will not see it again."
        maxlength={MAX_ADDRESS_LENGTH}
        required
        problem={problem}
      />
      <Field
        form={form}
        name="token"
        label="ntfy access token (optional)"
        type="password"
        autocomplete="off"
        maxlength={200}
        problem={problem}
      />
      <Events form={form} chosen={own ? parseChosen(own) : NOTICE_EVENTS} />
      <button id="notice-add">Add</button>
    </Form>
  );
};

const parseChosen = (values: Record<string, string>): NoticeEvent[] =>
  NOTICE_EVENTS.filter((event) => values[event] === "on");

const Events = ({ form, chosen }: { form: string; chosen: readonly NoticeEvent[] }) => (
  <>
    {NOTICE_EVENTS.map((event) => (
      <label class="check" for={`${form}-${event}`}>
        <input type="checkbox" id={`${form}-${event}`} name={event} value="on" checked={chosen.includes(event)} />{" "}
        <span safe>{EVENT_WORDS[event]}</span>
      </label>
    ))}
  </>
);

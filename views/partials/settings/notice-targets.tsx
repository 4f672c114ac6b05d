/** @jsxImportSource @kitajs/html */
import {
  EVENT_WORDS,
  KIND_WORDS,
  MAX_ADDRESS_LENGTH,
  NOTICE_EVENTS,
  TARGET_KINDS,
  type NoticeEvent,
  type TargetView,
} from "../../../src/domain/people/notice.ts";
import { Check, Choice, Done, Field, Form, Refusal, type Outcome } from "../../form.tsx";
import { fromNow } from "../../words.ts";
import { ShownOnce } from "./shown-once.tsx";
import { getMessage, SETTINGS_TEXTS } from "../../texts/settings.ts";
import { Card } from "../card.tsx";

const WORDS = SETTINGS_TEXTS.notices;

interface TargetProps extends Outcome {
  targets: readonly TargetView[];
  /** The key of a new webhook, shown only once. */
  newKey?: string | undefined;
  mayChange: boolean;
  hasMail: boolean;
  now: number;
}

const SECTION = "notices";

/** The user's notification targets and their state. */
export const NoticeTargets = ({ targets, newKey, mayChange, hasMail, now, problem, done }: TargetProps) => (
  <Card id={SECTION} name="notices" title={WORDS.title}>
    <p class="help" safe>
      {WORDS.about(hasMail)}
    </p>
    <Done
      words={getMessage(done, "notice") ?? getMessage(done, "notice-removed") ?? getMessage(done, "notice-tested")}
    />
    <ShownOnce id="new-notice-key" words={WORDS.keyOnce} secret={newKey} />
    {targets.map((target) => (
      <Target target={target} mayChange={mayChange} now={now} problem={problem} />
    ))}
    {mayChange && <NewTarget problem={problem} hasMail={hasMail} />}
  </Card>
);

const Target = ({
  target,
  mayChange,
  now,
  problem,
}: { target: TargetView; mayChange: boolean; now: number } & Outcome) => {
  const { id, kind, host, events } = target;
  const form = `notice-${id}`;
  const name = WORDS.target(KIND_WORDS[kind], host);
  return (
    <div>
      <h3 safe>{name}</h3>
      <p class={target.problem === null ? "muted" : "warn-text"} safe>
        {describeTargetState(target, now)}
      </p>
      {mayChange && (
        <>
          <Refusal of={`${form}-test`} problem={problem} />
          <Form form={form} action={`settings/notices/${id}`} section={SECTION} problem={problem} class="row">
            <Events form={form} chosen={problem?.form === form ? parseChosen(problem.values) : events} />
            <button class="small-button" id={`${form}-save`}>
              {WORDS.save}
            </button>
          </Form>
          <div class="buttons">
            <Form form={`${form}-test`} action={`settings/notices/${id}/test`} section={SECTION}>
              <button class="small-button" id={`${form}-test-button`} aria-label={WORDS.testLabel(name)}>
                {WORDS.test}
              </button>
            </Form>
            <Form form={`${form}-remove`} action={`settings/notices/${id}/remove`} section={SECTION} problem={problem}>
              <button class="small-button danger" id={`${form}-remove-button`} aria-label={WORDS.removeLabel(name)}>
                {WORDS.remove}
              </button>
            </Form>
          </div>
        </>
      )}
    </div>
  );
};

const describeTargetState = ({ problem, lastSentAt, waiting, events }: TargetView, now: number): string => {
  const last = lastSentAt === null ? WORDS.nothingSent : WORDS.lastSent(fromNow(lastSentAt, now));
  const line = waiting === 0 ? "" : WORDS.waiting(waiting);
  const wrong = problem === null ? "" : ` ${problem}`;
  return WORDS.tells(events.map((event) => EVENT_WORDS[event]).join(", "), last, line, wrong);
};

const NewTarget = ({ problem, hasMail }: Outcome & { hasMail: boolean }) => {
  const form = { form: "notice", problem };
  const own = problem?.form === form.form ? problem.values : undefined;
  return (
    <Form {...form} action="settings/notices" section={SECTION} label={WORDS.newTarget}>
      <Choice
        {...form}
        name="kind"
        label={WORDS.kind}
        options={TARGET_KINDS.filter((kind) => hasMail || kind !== "mail").map(
          (kind) => [kind, KIND_WORDS[kind]] as const,
        )}
        value={own?.kind}
      />
      <Field
        {...form}
        name="url"
        label={WORDS.address}
        type="password"
        help={WORDS.addressHelp}
        maxlength={MAX_ADDRESS_LENGTH}
        required
      />
      <Field {...form} name="token" label={WORDS.token} type="password" maxlength={200} />
      <Events form={form.form} chosen={own ? parseChosen(own) : NOTICE_EVENTS} />
      <button id="notice-add">{WORDS.add}</button>
    </Form>
  );
};

const parseChosen = (values: Record<string, string>): NoticeEvent[] =>
  NOTICE_EVENTS.filter((event) => values[event] === "on");

const Events = ({ form, chosen }: { form: string; chosen: readonly NoticeEvent[] }) => (
  <>
    {NOTICE_EVENTS.map((event) => (
      <Check form={form} name={event} label={EVENT_WORDS[event]} checked={chosen.includes(event)} />
    ))}
  </>
);

/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../src/domain/people/user.ts";
import { TEXTS } from "./texts/shared.ts";

/** Why a form was refused, and its submitted values. */
export interface Problem {
  form: string;
  message: string;
  /** By control name. */
  fields: Record<string, string>;
  values: Record<string, string>;
  /** The job that prevents the action. */
  jobId?: number | undefined;
}

/** The result of submitting a form; empty when the page was just opened. */
export interface Outcome {
  problem?: Problem;
  /** The word for what was done. */
  done?: string;
}

interface FormProps {
  form: string;
  action: string;
  problem?: Problem | undefined;
  /** The section of the page that is replaced by the response. Without it the whole page is. */
  section?: string;
  class?: string;
  label?: string;
  /** Attributes for requests while the form is filled in. */
  asks?: Readonly<Record<string, string>>;
}

/** A form that shows its own errors. */
export const Form = ({
  form,
  action,
  problem,
  section,
  label,
  asks,
  children,
  ...more
}: PropsWithChildren<FormProps>) => (
  <form
    method="post"
    action={action}
    id={form}
    class={more.class}
    aria-label={label}
    {...(section ? liveIn(section, action) : {})}
    {...asks}
  >
    {!isSaidByFields(form, problem, children) && <Refusal of={form} problem={problem} />}
    {children as "safe"}
  </form>
);

const liveIn = (section: string, action: string) => ({
  "hx-post": action,
  "hx-target": `#${section}`,
  "hx-select": `#${section}`,
  "hx-swap": "outerHTML",
  // A disabled button would lose the focus. Instead, further submits are dropped during a request.
  "hx-sync": "this:drop",
});

/** Whether all problems are shown at visible fields. */
const isSaidByFields = (form: string, problem: Problem | undefined, markup: unknown): boolean => {
  if (problem?.form !== form) return false;
  const said = Object.entries(problem.fields).filter(([name]) => String(markup).includes(`id="${form}-${name}-wrong"`));
  return said.map(([, words]) => words).join(" ") === problem.message;
};

/** Problems of fields are shown at the fields; the rest is shown here. */
export const Refusal = ({ of, problem }: { of: string; problem?: Problem | undefined }) => {
  if (problem?.form !== of) return "";
  const { message, jobId } = problem;
  if (jobId !== undefined) {
    return (
      <p class="refusal" role="alert">
        <span safe>{message}</span> <JobInTheWay id={jobId} />
      </p>
    );
  }
  return (
    <p class="refusal" role="alert" safe>
      {message}
    </p>
  );
};

/** Links to the page where the job can be stopped or rolled back. */
export const JobInTheWay = ({ id }: { id: number | undefined }) =>
  id === undefined ? (
    ""
  ) : (
    <a href={`jobs/${id}`} safe>
      {TEXTS.forms.toJob(id)}
    </a>
  );

interface FieldProps {
  form: string;
  name: string;
  label: string;
  type?: "text" | "password" | "email" | "number" | "date" | "search";
  value?: string | null | undefined;
  help?: string | undefined;
  problem?: Problem | undefined;
  required?: boolean;
  autocomplete?: string;
  min?: number;
  max?: number;
  minlength?: number;
  maxlength?: number;
  class?: string;
  placeholder?: string;
  pattern?: string;
  autofocus?: boolean;
}

/** A day as everything else here shows it. A date field of the browser shows it in the order of the browser's country. */
const DAY = { placeholder: TEXTS.forms.dayHint, pattern: "\\d{4}-\\d{2}-\\d{2}", maxlength: 10 };

export const Field = ({ form, name, label, type = "text", value, help, problem, autofocus, ...more }: FieldProps) => {
  const id = `${form}-${name}`;
  const own = problem?.form === form ? problem : undefined;
  const wrong = own?.fields[name];
  // Focuses the first field with a problem.
  const [first] = Object.keys(own?.fields ?? {});
  const kept = type === "password" ? undefined : (own?.values[name] ?? value ?? undefined);
  const described = [wrong ? `${id}-wrong` : "", help ? `${id}-help` : ""].filter(Boolean).join(" ");
  const { class: size, autocomplete = "off", ...limits } = { ...(type === "date" ? DAY : {}), ...more };
  return (
    <div class={["field", size, type === "date" && "date"]}>
      <label for={id} safe>
        {label}
      </label>
      <input
        id={id}
        name={name}
        type={type === "date" ? "text" : type}
        value={kept}
        autocomplete={autocomplete}
        aria-invalid={wrong ? "true" : undefined}
        aria-describedby={described || undefined}
        spellcheck={type === "text" ? "false" : undefined}
        autofocus={first === undefined ? autofocus : first === name}
        {...limits}
      />
      {wrong !== undefined && (
        <p class="wrong" role="alert" id={`${id}-wrong`} safe>
          {wrong}
        </p>
      )}
      {help !== undefined && (
        <p class="help" id={`${id}-help`} safe>
          {help}
        </p>
      )}
    </div>
  );
};

type PasswordProps = Pick<FieldProps, "form" | "label" | "problem" | "autofocus">;

/** A password that the user has. */
export const CurrentPassword = ({ name = "password", ...field }: PasswordProps & { name?: string }) => (
  <Field {...field} name={name} type="password" autocomplete="current-password" required />
);

/** A password that the user chooses. */
export const NewPassword = (field: PasswordProps & Pick<FieldProps, "help">) => (
  <Field
    {...field}
    name="password"
    type="password"
    autocomplete="new-password"
    minlength={MIN_PASSWORD_LENGTH}
    maxlength={MAX_PASSWORD_LENGTH}
    required
  />
);

interface CheckProps {
  form: string;
  name: string;
  label: string;
  checked?: boolean;
}

export const Check = ({ form, name, label, checked }: CheckProps) => (
  <label class="check" for={`${form}-${name}`}>
    <input type="checkbox" id={`${form}-${name}`} name={name} value="on" checked={checked} /> <span safe>{label}</span>
  </label>
);

interface ChoiceProps {
  form: string;
  name: string;
  label: string;
  options: readonly (readonly [value: string, label: string])[];
  value?: string | undefined;
}

export const Choice = ({ form, name, label, options, value }: ChoiceProps) => (
  <div class="field">
    <label for={`${form}-${name}`} safe>
      {label}
    </label>
    <select id={`${form}-${name}`} name={name}>
      {options.map(([one, words]) => (
        <option value={one} selected={one === value} safe>
          {words}
        </option>
      ))}
    </select>
  </div>
);

/** A file with contacts. */
export const LogFileField = ({ label, help, disabled }: { label: string; help?: string; disabled?: boolean }) => (
  <div class="field">
    <label for="import-file" safe>
      {label}
    </label>
    <input
      type="file"
      id="import-file"
      name="file"
      accept=".adi,.adif,.adx,.gz,text/plain"
      required
      disabled={disabled}
    />
    {help !== undefined && (
      <p class="help" safe>
        {help}
      </p>
    )}
  </div>
);

/** Confirms an action once, where it was requested. */
export const Done = ({ words }: { words: string | undefined }) =>
  words === undefined ? (
    ""
  ) : (
    <p class="done" data-say="" safe>
      {words}
    </p>
  );

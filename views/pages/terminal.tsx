/** @jsxImportSource @kitajs/html */
import { Form, type Outcome } from "../form.tsx";
import { SIGN_IN_TEXTS } from "../texts/sign-in.ts";

const WORDS = SIGN_IN_TEXTS.terminal;

interface Props extends Outcome {
  username: string;
  order: { terminal: string; name: string; scope: "read" | "write" };
  /** Just created, shown only once. */
  code?: string | undefined;
}

/** The page to which a terminal sends a user who signs in with the browser. */
export const Terminal = ({ username, order, code, problem }: Props) => (
  <section class="narrow card">
    <h1>{WORDS.title}</h1>
    {code === undefined ? (
      <>
        <p>
          <b safe>{order.name}</b> {WORDS.asksToken} {order.scope === "read" ? WORDS.read : WORDS.readAndWrite}{" "}
          {WORDS.logOf} <b safe>{username}</b>.
        </p>
        <p class="note warn">{WORDS.warning}</p>
        <Form
          form="terminal"
          action={`login/terminal?${new URLSearchParams({ ...order }).toString()}`}
          problem={problem}
        >
          <button class="primary wide" id="terminal-allow">
            {WORDS.showCode}
          </button>
        </Form>
      </>
    ) : (
      <div role="status">
        <p>{WORDS.enterCode}</p>
        <code class="secret" id="terminal-code" safe>
          {code}
        </code>
      </div>
    )}
  </section>
);

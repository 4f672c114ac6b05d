/** @jsxImportSource @kitajs/html */
import { Form, type Outcome } from "../form.tsx";

interface Props extends Outcome {
  username: string;
  order: { terminal: string; name: string; scope: "read" | "write" };
  /** Just created, shown only once. */
  code?: string | undefined;
}

/** The page to which a terminal sends a user who signs in with the browser. */
export const Terminal = ({ username, order, code, problem }: Props) => (
  <section class="narrow card">
    <h1>Sign in a terminal</h1>
    {code === undefined ? (
      <>
        <p>
          <b safe>{order.name}</b> asks for an API token to {order.scope === "read" ? "read" : "read and write"} the log
          of <b safe>{username}</b>.
        </p>
        <p class="note warn">Continue only if you started this yourself just now. Never give the code to anyone.</p>
        <Form
          form="terminal"
          action={`login/terminal?${new URLSearchParams({ ...order }).toString()}`}
          problem={problem}
        >
          <button class="primary wide" id="terminal-allow">
            Show the code
          </button>
        </Form>
      </>
    ) : (
      <div role="status">
        <p>Enter this code in the terminal. It works once, for five minutes, and only in that terminal.</p>
        <code class="secret" id="terminal-code" safe>
          {code}
        </code>
      </div>
    )}
  </section>
);

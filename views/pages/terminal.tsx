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
    <h1>Let a terminal in</h1>
    {code === undefined ? (
      <>
        <p>
          <b safe>{order.name}</b> asks for an API token that may {order.scope === "read" ? "read" : "read and write"}{" "}
          the log of <b safe>{username}</b>.
        </p>
        <p class="note warn">
          Go on only if you have just started this yourself, in a terminal that you see. Nobody else needs the code.
        </p>
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
        <p>Type this code into the terminal. It is good once, for five minutes, and for that terminal only.</p>
        <code class="secret" id="terminal-code" safe>
          {code}
        </code>
      </div>
    )}
  </section>
);

/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";

interface Props {
  id: string;
  words: string;
  secret: string | undefined;
}

/** A new secret, which the user must copy now. */
export const ShownOnce = ({ id, words, secret, children }: PropsWithChildren<Props>) =>
  secret === undefined ? (
    ""
  ) : (
    <div class="note" role="status">
      <p safe>{words}</p>
      <code class="secret" id={id} safe>
        {secret}
      </code>
      {children as "safe"}
    </div>
  );

/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";
import { Refusal, type Problem } from "../../form.tsx";
import { SETTINGS_TEXTS } from "../../texts/settings.ts";

const WORDS = SETTINGS_TEXTS.factor;

interface Props {
  form: string;
  action: string;
  /** Whether to create a passkey or use an existing one. */
  does: "make" | "use";
  /** The WebAuthn options for the browser. */
  options: object;
  problem?: Problem | undefined;
}

/** A form that a script submits, because passkeys need JavaScript. */
export const PasskeyForm = ({ form, action, does, options, problem, children }: PropsWithChildren<Props>) => (
  <form method="post" action={action} id={form} data-passkey={does} data-options={JSON.stringify(options)}>
    <Refusal of={form} problem={problem} />
    <p class="refusal" role="alert" data-passkey-problem="" hidden></p>
    <input type="hidden" name="passkey" value="" />
    {children as "safe"}
    <noscript>
      <p class="help">{WORDS.needJavaScript}</p>
    </noscript>
  </form>
);

/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html, type PropsWithChildren } from "@kitajs/html";
import { Refusal, type Problem } from "../form.tsx";

interface Props {
  form: string;
  action: string;
  /** Whether a passkey is made, or one that is there is used. */
  does: "make" | "use";
  /** What the browser is asked. */
  options: object;
  problem?: Problem | undefined;
}

/** A form that a script of the page fills in: browsers give passkeys to nothing else. */
export const PasskeyForm = ({ form, action, does, options, problem, children }: PropsWithChildren<Props>) => (
  <form method="post" action={action} id={form} data-passkey={does} data-options={JSON.stringify(options)}>
    <Refusal of={form} problem={problem} />
    <p class="refusal" role="alert" data-passkey-problem="" hidden></p>
    <input type="hidden" name="passkey" value="" />
    {children as "safe"}
    <noscript>
      <p class="help">Passkeys need JavaScript.</p>
    </noscript>
  </form>
);

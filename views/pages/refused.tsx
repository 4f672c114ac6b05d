/** @jsxImportSource @kitajs/html */
import { JobInTheWay } from "../form.tsx";
import type { ErrorCode } from "../../src/kernel/errors.ts";
import { SIGN_IN_TEXTS } from "../texts/sign-in.ts";

const WORDS = SIGN_IN_TEXTS.refused;

interface Props {
  code: ErrorCode;
  message: string;
  rule: string | undefined;
  jobId?: number | undefined;
  isSignedIn: boolean;
}

const TITLES: Partial<Record<ErrorCode, string>> = {
  not_found: WORDS.notFound,
  forbidden: WORDS.forbidden,
  internal: WORDS.internal,
  unavailable: WORDS.unavailable,
  unauthenticated: WORDS.unauthenticated,
};

/** The error page, with a link to continue. */
export const Refused = ({ code, message, rule, jobId, isSignedIn }: Props) => (
  <section class="narrow card" id="refused" data-rule={rule}>
    <h1 safe>{TITLES[code] ?? WORDS.other}</h1>
    <p>
      <span safe>{message}</span> <JobInTheWay id={jobId} />
    </p>
    {rule === "impersonation_ended" ? (
      <form method="post" action="impersonation/stop">
        <button class="primary">{WORDS.ownAccount}</button>
      </form>
    ) : (
      <p>
        {isSignedIn || code === "unavailable" ? <a href="./">{WORDS.dashboard}</a> : <a href="login">{WORDS.signIn}</a>}
      </p>
    )}
  </section>
);

/** @jsxImportSource @kitajs/html */
import { JobInTheWay } from "../form.tsx";
import type { ErrorCode } from "../../src/kernel/errors.ts";

interface Props {
  code: ErrorCode;
  message: string;
  rule: string | undefined;
  jobId?: number | undefined;
  isSignedIn: boolean;
}

const TITLES: Partial<Record<ErrorCode, string>> = {
  not_found: "Page not found",
  forbidden: "Not allowed",
  internal: "Something went wrong",
  unavailable: "Not available right now",
  unauthenticated: "Ended",
};

/** The error page, with a link to continue. */
export const Refused = ({ code, message, rule, jobId, isSignedIn }: Props) => (
  <section class="narrow card" id="refused" data-rule={rule}>
    <h1 safe>{TITLES[code] ?? "Not possible"}</h1>
    <p>
      <span safe>{message}</span> <JobInTheWay id={jobId} />
    </p>
    {rule === "impersonation_ended" ? (
      <form method="post" action="impersonation/stop">
        <button class="primary">Return to your own account</button>
      </form>
    ) : (
      <p>{isSignedIn || code === "unavailable" ? <a href="./">Go to the dashboard</a> : <a href="login">Sign in</a>}</p>
    )}
  </section>
);

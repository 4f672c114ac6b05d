/** @jsxImportSource @kitajs/html */
import { describeSilent } from "../../../src/domain/contact/qso-filter.ts";
import { describePast, type AsOf } from "../../../src/kernel/time-text.ts";
import { Field, type Problem } from "../../form.tsx";
import { TEXTS } from "../../texts/shared.ts";

const WORDS = TEXTS.past;

/** The field for the day of a past log. */
export const AsOfField = ({ form, asked, problem }: { form: string; asked: string; problem?: Problem | undefined }) => (
  <Field form={form} name="asOf" label={WORDS.asOf} type="date" value={asked} problem={problem} />
);

/** Says that a past log is shown. */
export const Past = ({ of }: { of: AsOf | undefined }) =>
  of === undefined ? (
    ""
  ) : (
    <p class="muted" role="status" safe>
      {describePast(of)}
    </p>
  );

/** Lists requested own callsigns that are not in the log. */
export const Silent = ({ stations }: { stations: readonly string[] | undefined }) =>
  stations === undefined ? (
    ""
  ) : (
    <p class="empty" role="status" safe>
      {describeSilent(stations)}
    </p>
  );

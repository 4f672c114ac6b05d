/** @jsxImportSource @kitajs/html */
import { Type } from "typebox";
import { invalidField } from "../../kernel/errors.ts";
import { FILTER_PARAMETERS } from "../../domain/contact/qso-filter.ts";
import { SERVICES } from "../../domain/jobs/source.ts";
import { listContacts } from "../../logbook/contacts.ts";
import { listDuplicates, merge, previewMerge } from "../../logbook/duplicates.ts";
import { previewRepair, repair } from "../../logbook/repairs.ts";
import type { RepairRequest } from "../../logbook/contract.ts";
import type { Outcome } from "../../../views/form.tsx";
import { Duplicates, type DuplicatesProps } from "../../../views/pages/duplicates.tsx";
import { Repair, WRONGS, type Wrong } from "../../../views/pages/repair.tsx";
import type { ShownPreview } from "../../../views/partials/contacts/repair-preview.tsx";
import { asked, assertFormFields, queryOf } from "../pages/forms.ts";
import { formRoute, pageRoute, type PageCall } from "../pages/page-route.ts";
import { Cursor, Id, only, words } from "../http/shapes.ts";
import { REPAIR_TEXTS } from "../../../views/texts/repair.ts";

const Words = Type.Optional(Type.String());
const Filter = only({
  ...Object.fromEntries(FILTER_PARAMETERS.map((name) => [name, Words])),
  wrong: Type.Optional(words(WRONGS.map(([name]) => name))),
  what: Words,
});

type RepairCall = Pick<PageCall, "app" | "asker" | "watching" | "query">;

interface Filled {
  values?: Record<string, string>;
  preview?: ShownPreview;
}

/** The filters of a query, without what is wrong. */
const filterOf = (query: unknown): Record<string, string> =>
  asked({ ...(query as Record<string, string>), wrong: undefined, what: undefined }) as Record<string, string>;

const repairPage = async (
  { app, asker, query }: RepairCall,
  { problem }: Outcome,
  { values, preview }: Filled = {},
) => {
  const { what, wrong = what === "delete" ? what : null } = query as Record<string, string | undefined>;
  const filter = filterOf(query);
  const { total } = await listContacts(app, asker, { ...filter, limit: "1" });
  const named = Object.entries(filter).map(([name, value]) => `${name} ${value}`);
  return {
    title: REPAIR_TEXTS.repair.title,
    body: (
      <Repair
        total={total}
        filterQuery={queryOf(filter)}
        filterWords={named.length === 0 ? REPAIR_TEXTS.repair.inLog : REPAIR_TEXTS.repair.with(named.join(", "))}
        wrong={(wrong ?? (preview || problem ? "field" : null)) as Wrong | null}
        values={problem?.values ?? values ?? asked({ what }) ?? {}}
        preview={preview ?? null}
        problem={problem}
      />
    ),
  };
};

const FIELDS = ["field", "value", "clear", "shiftMinutes", "byFrequency", "ftModes", "what", "ofJob", "go"];

const numberIn = (text: string): number => {
  if (/^[1-9]\d{0,14}$/.test(text.trim())) return Number(text);
  throw invalidField("ofJob", `${JSON.stringify(text)} is not a job number.`);
};

const readRequest = (filter: Record<string, string>, fields: Record<string, string>): RepairRequest => {
  assertFormFields(fields, FIELDS);
  const { field = "", value = "", clear = "", shiftMinutes = "", byFrequency, ftModes = "", what, ofJob = "" } = fields;
  const service = SERVICES.find((one) => one === what);
  if (service) return { filter, takeOut: service, ...(ofJob.trim() !== "" && { ofJob: numberIn(ofJob) }) };
  if (what === "delete") return { filter, delete: true };
  if (field !== "" && value.trim() === "") throw invalidField("value", "Enter the new value.");
  return {
    filter,
    ...(field !== "" && { set: { [field]: value.trim() } }),
    ...(clear !== "" && { clear: [clear] }),
    ...(shiftMinutes.trim() !== "" && { shiftMinutes: Number(shiftMinutes) }),
    ...(byFrequency === "true" && { byFrequency: true }),
    ...(ftModes !== "" && { ftModes }),
  };
};

const DuplicateQuery = only({ kind: Words, cursor: Cursor });

const duplicatesPage = async (
  { app, watching, query }: RepairCall,
  { problem }: Outcome,
  merging: DuplicatesProps["asked"] = null,
) => {
  const question = asked(query as { kind?: string; cursor?: string });
  const { groups, kinds, total, nextCursor } = await listDuplicates(
    app,
    watching(REPAIR_TEXTS.duplicates.title),
    question,
  );
  return {
    title: REPAIR_TEXTS.duplicates.title,
    body: (
      <Duplicates
        groups={groups}
        kinds={kinds}
        total={total}
        kind={question.kind}
        here={queryOf(question)}
        next={nextCursor && queryOf({ kind: question.kind, cursor: nextCursor })}
        asked={merging}
        problem={problem}
      />
    ),
  };
};

export const repairPages = [
  pageRoute("/repair", { query: Filter, page: repairPage }),
  formRoute("/repair", {
    query: Filter,
    form: "repair",
    async submit(call, fields) {
      const { app, asker, watching, query } = call;
      const request = readRequest(filterOf(query), fields);
      if (fields.go === "repair") {
        const { job } = await repair(app, asker, request);
        return { goto: `/jobs/${job.id}` };
      }
      const { preview } = await previewRepair(app, watching(REPAIR_TEXTS.repair.title), request);
      return repairPage(call, {}, { values: fields, preview });
    },
    page: repairPage,
  }),
  pageRoute("/duplicates", { query: DuplicateQuery, page: duplicatesPage }),
  formRoute("/duplicates", {
    query: DuplicateQuery,
    form: "merge",
    fields: only({ kind: Words, qsoId: Type.Optional(Id), go: Words }),
    async submit(call, { go, ...request }) {
      const { app, asker, watching } = call;
      if (go === "merge") {
        const { job } = await merge(app, asker, request);
        return { goto: `/jobs/${job.id}` };
      }
      const { preview } = await previewMerge(app, watching(REPAIR_TEXTS.duplicates.title), request);
      return duplicatesPage(call, {}, { ...request, preview });
    },
    page: duplicatesPage,
  }),
];

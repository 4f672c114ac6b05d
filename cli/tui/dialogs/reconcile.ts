import { LABELS } from "../../../src/domain/origins/labels.ts";
import { formatNumber } from "../../../src/kernel/number-text.ts";
import { describeLeftRecord } from "../../../src/domain/jobs/job-words.ts";
import { formatUtc } from "../../../src/kernel/time-text.ts";
import {
  describeClass,
  describeFindings,
  RECONCILE_CLASSES,
  type ReconcileClass,
} from "../../../src/domain/jobs/reconcile.ts";
import type { ReconcileDocument } from "../../../src/logbook/contract.ts";
import type { Context } from "../context.ts";
import { askAbout } from "./leftovers.ts";
import { showLoading } from "./confirm.ts";
import { askToPick, type Choice } from "./picker.ts";

interface Place extends Choice {
  open(): void;
}

const AT_ONCE = 200;

/** Compares the log with both services: the classes, then the entries of one class, then the actions. */
export const askToReconcile = (context: Context): void => {
  look(context, undefined, ({ counts }) =>
    askToPick<Place>(context, {
      title: `Your log, ${LABELS.first} and ${LABELS.second}`,
      offers: RECONCILE_CLASSES.map((name) => {
        const { title, advice } = describeClass(name);
        const isEmpty = counts[name] === 0;
        return {
          label: `${formatNumber(counts[name]).padStart(9)}  ${title}`,
          says: isEmpty ? "" : advice,
          open: () => (isEmpty ? context.say(`No QSO is ${title}.`) : showClass(context, name)),
        };
      }),
      onPick: ({ open }) => open(),
    }),
  );
};

const showClass = (context: Context, name: ReconcileClass): void =>
  look(context, name, (found) =>
    askToPick<Place>(context, {
      title: `${describeClass(name).title}: ${formatNumber(found.counts[name])}`,
      offers: listPlaces(context, found),
      onPick: ({ open }) => open(),
    }),
  );

/** Entries that open a contact or the actions for an unmatched record. */
const listPlaces = (context: Context, { contacts, deleted, leftovers, nextCursor }: ReconcileDocument): Place[] => [
  ...contacts.map((contact) => ({
    label: `${contact.call}  ${formatUtc(contact.startedAt)}  ${contact.band ?? ""}`,
    says: describeFindings(contact).join("; "),
    open: () => context.showQsos({ id: String(contact.id) }),
  })),
  ...deleted.map(({ call, startedAt, band, at }) => ({
    label: `${call}  ${formatUtc(startedAt)}  ${band ?? ""}`,
    says: `at ${at.map((service) => LABELS[service]).join(", ")}`,
    open: () =>
      context.say("Deleted here, still on the service. Delete it there too, or roll back the job that deleted it."),
  })),
  ...leftovers.map((leftover) => ({
    label: describeLeftRecord(leftover.record),
    says: leftover.reason,
    open: () =>
      askAbout(context, { ...leftover, candidates: leftover.candidates.map(({ id }) => id), resolution: null }),
  })),
  ...(nextCursor === null ? [] : [{ label: "… and more", says: "qsolog reconcile lists them", open: () => {} }]),
];

const look = (context: Context, name: ReconcileClass | undefined, show: (found: ReconcileDocument) => void): void => {
  const answer = context.client.reconcile({ class: name, limit: AT_ONCE });
  showLoading(context, ["Reconcile", "Comparing the log with both services …"], answer, show);
};

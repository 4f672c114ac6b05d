import { formatNumber } from "../../src/kernel/number-text.ts";
import { describeLeftRecord } from "../../src/domain/jobs/job-words.ts";
import { formatUtc } from "../../src/kernel/time-text.ts";
import {
  describeClass,
  describeFindings,
  RECONCILE_CLASSES,
  type ReconcileClass,
} from "../../src/domain/jobs/reconcile.ts";
import type { ReconcileDocument } from "../../src/logbook/contract.ts";
import type { Desk } from "./context.ts";
import { askAbout } from "./leftover-question.ts";
import { failedIn } from "./mass-question.ts";
import { askToPick, type Choice } from "./picker.ts";

interface Place extends Choice {
  open(): void;
}

const AT_ONCE = 200;

/** Compares the log with both services: the classes, then the entries of one class, then the actions. */
export const askToReconcile = (desk: Desk): void => {
  look(desk, undefined, ({ counts }) =>
    askToPick<Place>(desk, {
      title: `Your log, ${desk.labels.first} and ${desk.labels.second}`,
      offers: RECONCILE_CLASSES.map((name) => {
        const { title, advice } = describeClass(name, desk.labels);
        const isEmpty = counts[name] === 0;
        return {
          label: `${formatNumber(counts[name]).padStart(9)}  ${title}`,
          says: isEmpty ? "" : advice,
          open: () => (isEmpty ? desk.say(`No QSO is ${title}.`) : showClass(desk, name)),
        };
      }),
      onPick: ({ open }) => open(),
    }),
  );
};

const showClass = (desk: Desk, name: ReconcileClass): void =>
  look(desk, name, (found) =>
    askToPick<Place>(desk, {
      title: `${describeClass(name, desk.labels).title}: ${formatNumber(found.counts[name])}`,
      offers: placesIn(desk, found),
      onPick: ({ open }) => open(),
    }),
  );

/** Entries that open a contact or the actions for an unmatched record. */
const placesIn = (desk: Desk, { contacts, deleted, leftovers, nextCursor }: ReconcileDocument): Place[] => [
  ...contacts.map((contact) => ({
    label: `${contact.call}  ${formatUtc(contact.startedAt)}  ${contact.band ?? ""}`,
    says: describeFindings(contact, desk.labels).join("; "),
    open: () => desk.showQsos({ id: String(contact.id) }),
  })),
  ...deleted.map(({ call, startedAt, band, at }) => ({
    label: `${call}  ${formatUtc(startedAt)}  ${band ?? ""}`,
    says: `at ${at.map((service) => desk.labels[service]).join(", ")}`,
    open: () =>
      desk.say("Deleted here, still on the service. Delete it there too, or roll back the job that deleted it."),
  })),
  ...leftovers.map((leftover) => ({
    label: describeLeftRecord(leftover.record),
    says: leftover.reason,
    open: () => askAbout(desk, { ...leftover, candidates: leftover.candidates.map(({ id }) => id), resolution: null }),
  })),
  ...(nextCursor === null ? [] : [{ label: "… and more", says: "qsolog reconcile lists them", open: () => {} }]),
];

const look = (desk: Desk, name: ReconcileClass | undefined, show: (found: ReconcileDocument) => void): void => {
  let isLeft = false;
  const leave = () => {
    isLeft = true;
    desk.ask(null);
  };
  desk.ask({ title: "Reconcile", lines: [["Comparing the log with both services …"]], press: leave });
  desk.client.reconcile({ class: name, limit: AT_ONCE }).then((found) => void (isLeft || show(found)), failedIn(desk));
};

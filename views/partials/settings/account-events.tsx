/** @jsxImportSource @kitajs/html */
import { describeEvent, type AccountEvent } from "../../../src/domain/people/account-event.ts";
import { shortenUserAgent } from "../../user-agent.ts";
import { utc } from "../../words.ts";
import { Table, type Column } from "../table.tsx";
import { TEXTS } from "../../texts/shared.ts";
import { SETTINGS_TEXTS } from "../../texts/settings.ts";
import { Card } from "../card.tsx";

const WORDS = SETTINGS_TEXTS.events;

const COLUMNS: readonly Column<AccountEvent>[] = [
  { head: WORDS.whenUtc, label: WORDS.when, class: "when", text: ({ at }) => utc(at) },
  { head: WORDS.what, isName: true, class: "fill full detail", text: describeEvent },
  { head: WORDS.by, label: WORDS.by, text: ({ by }) => by ?? "you" },
  { head: WORDS.address, label: WORDS.address, class: "mono", text: ({ address }) => address ?? "–" },
  {
    head: WORDS.browser,
    label: WORDS.browser,
    class: "full detail",
    title: ({ userAgent }) => userAgent ?? undefined,
    text: ({ userAgent }) => (userAgent === null ? "–" : shortenUserAgent(userAgent)),
  },
];

/** The events of the account, newest first. */
export const Events = ({ events }: { events: readonly AccountEvent[] }) => (
  <Card id="events" name="events" title={WORDS.title}>
    {events.length === 0 ? (
      <p class="empty">{WORDS.none}</p>
    ) : (
      <Table caption={TEXTS.tables.accountEvents} class="stack" columns={COLUMNS} rows={events} />
    )}
  </Card>
);

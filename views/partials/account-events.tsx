/** @jsxImportSource @kitajs/html */
import type { AccountEvent } from "../../src/domain/people/account-event.ts";
import { describeEvent } from "../../src/domain/people/account-event.ts";
import { shortenUserAgent } from "../user-agent.ts";
import { utc } from "../words.ts";
import { Caption } from "./caption.tsx";
import { TEXTS } from "../texts/shared.ts";
import { SETTINGS_TEXTS } from "../texts/settings.ts";

const WORDS = SETTINGS_TEXTS.events;

/** The events of the account, newest first. */
export const Events = ({ events }: { events: readonly AccountEvent[] }) => (
  <section class="card" id="events" aria-labelledby="events-title">
    <h2 id="events-title">{WORDS.title}</h2>
    {events.length === 0 ? <p class="empty">{WORDS.none}</p> : <Table events={events} />}
  </section>
);

const Table = ({ events }: { events: readonly AccountEvent[] }) => (
  <table class="stack">
    <Caption words={TEXTS.tables.accountEvents} />
    <thead>
      <tr>
        <th scope="col">{WORDS.whenUtc}</th>
        <th scope="col">{WORDS.what}</th>
        <th scope="col">{WORDS.by}</th>
        <th scope="col">{WORDS.address}</th>
        <th scope="col">{WORDS.browser}</th>
      </tr>
    </thead>
    <tbody>
      {events.map((event) => (
        <tr>
          <td class="when" data-label={WORDS.when} safe>
            {utc(event.at)}
          </td>
          <th scope="row" class="fill full detail" safe>
            {describeEvent(event)}
          </th>
          <td data-label={WORDS.by} safe>
            {event.by ?? "you"}
          </td>
          <td class="mono" data-label={WORDS.address} safe>
            {event.address ?? "–"}
          </td>
          <td class="full detail" data-label={WORDS.browser} title={event.userAgent ?? undefined} safe>
            {event.userAgent === null ? "–" : shortenUserAgent(event.userAgent)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** @jsxImportSource @kitajs/html */
import type { AccountEvent } from "../../src/domain/people/account-event.ts";
import { describeEvent } from "../../src/domain/people/account-event.ts";
import { shortenUserAgent } from "../user-agent.ts";
import { utc } from "../words.ts";
import { Caption } from "./caption.tsx";
import { TEXTS } from "../texts/shared.ts";

/** The events of the account, newest first. */
export const Events = ({ events }: { events: readonly AccountEvent[] }) => (
  <section class="card" id="events" aria-labelledby="events-title">
    <h2 id="events-title">Account activity</h2>
    {events.length === 0 ? <p class="empty">No activity yet.</p> : <Table events={events} />}
  </section>
);

const Table = ({ events }: { events: readonly AccountEvent[] }) => (
  <table class="stack">
    <Caption words={TEXTS.tables.accountEvents} />
    <thead>
      <tr>
        <th scope="col">When (UTC)</th>
        <th scope="col">What</th>
        <th scope="col">By</th>
        <th scope="col">Address</th>
        <th scope="col">Browser or program</th>
      </tr>
    </thead>
    <tbody>
      {events.map((event) => (
        <tr>
          <td class="when" data-label="When" safe>
            {utc(event.at)}
          </td>
          <th scope="row" class="fill full detail" safe>
            {describeEvent(event)}
          </th>
          <td data-label="By" safe>
            {event.by ?? "you"}
          </td>
          <td class="mono" data-label="Address" safe>
            {event.address ?? "–"}
          </td>
          <td class="detail" data-label="Browser or program" title={event.userAgent ?? undefined} safe>
            {event.userAgent === null ? "–" : shortenUserAgent(event.userAgent)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@kitajs/html";

/** Hears when the log has changed. A page that is not looked at does not listen. */
export const Live = () => <div id="live" hx-sse:connect="events" hx-swap="none" hidden></div>;

/** What is shown is asked for anew when the log has changed: at once, and then at most once a second. */
export const WHEN_CHANGED = "changed from:#live throttle:1s";

/** Loads this part of a page again from the address where it is. Without a trigger htmx would do so on every click in it. */
export const reloads = (address: string, trigger: string) => ({
  "hx-get": address,
  "hx-trigger": trigger,
  "hx-target": "this",
  "hx-swap": "outerMorph",
});

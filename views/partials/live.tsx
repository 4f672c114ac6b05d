/** @jsxImportSource @kitajs/html */

/** Listens for changes of the log while the page is visible. */
export const Live = () => <div id="live" hx-sse:connect="events" hx-swap="none" hidden></div>;

/** Reloads on a change of the log: immediately, then at most once a second. */
export const WHEN_CHANGED = "changed from:#live throttle:1s";

/**
 * Reloads this part of the page from its address. The trigger is required, because without one htmx reloads on every
 * click.
 */
export const reloads = (address: string, trigger: string) => ({
  "hx-get": address,
  "hx-trigger": trigger,
  "hx-target": "this",
  "hx-swap": "outerMorph",
});

// Keys stand for controls that are on the page anyway: pressing one does what a click on the control does. Which key is
// whose the markup says, in data-key; data-row marks what j and k move through.
"use strict";

// It would wire the page some moments after this script, and what is typed until then would not be heard.
htmx.initialize();

(() => {
  const FIELD = "input:not([type=checkbox], [type=radio], [type=file]), textarea, select";
  const PATIENCE_MS = 1_500;
  let begun = { key: "", until: 0 };

  const isThere = (element) => element.checkVisibility() && !element.disabled;
  const palette = () => document.querySelector(":popover-open:has([data-row], input)");
  const within = (place, selector) => [...place.querySelectorAll(selector)].filter(isThere);

  const use = (control) => {
    if (!control?.matches(FIELD)) return control?.click();
    control.focus();
    control.select?.();
  };

  const step = (by) => {
    const rows = within(palette() ?? document, "[data-row]");
    const here = rows.findIndex((row) => (row.closest("tr, li") ?? row).contains(document.activeElement));
    const next = here === -1 ? rows[0] : rows[Math.min(rows.length - 1, Math.max(0, here + by))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
    return Boolean(next);
  };

  const controlOf = (key) => {
    const row = document.activeElement?.closest("tr, li");
    const ofRow = row ? within(row, `[data-row-key="${CSS.escape(key)}"]`)[0] : undefined;
    return ofRow ?? within(document, `[data-key="${CSS.escape(key)}"]`)[0];
  };

  const act = (key) => {
    const whole = begun.until > performance.now() ? `${begun.key} ${key}` : key;
    begun = { key: "", until: 0 };
    if (key === "j" || key === "k") return step(key === "j" ? 1 : -1);
    const control = controlOf(whole) ?? controlOf(key);
    if (control) use(control);
    else if (document.querySelector(`[data-key^="${CSS.escape(key)} "]`))
      begun = { key, until: performance.now() + PATIENCE_MS };
    return Boolean(control);
  };

  const inField = (event) => {
    const form = event.key === "Enter" && event.target.closest("form[data-first]");
    if (form && event.target.matches("input")) return takeFirst(form);
    if (event.key === "Escape" && !palette()) return (document.activeElement.blur(), true);
    const isMove = event.key === "ArrowDown" || event.key === "ArrowUp";
    return isMove && Boolean(palette()) && step(event.key === "ArrowDown" ? 1 : -1);
  };

  // Enter takes the first of what was found for these words; where that is still looked for, it waits.
  let hurried = null;
  const takeFirst = (form) => {
    const { value } = form.querySelector("input");
    if (value.trim() === "") return false;
    const found = form.parentElement.querySelector("[data-words]");
    const isWaiting = found?.dataset.words !== value && form.hasAttribute("hx-get") && hurried !== form;
    hurried = isWaiting ? form : null;
    if (found?.dataset.words !== value) return isWaiting;
    const [first] = within(found, "[data-row]");
    first?.click();
    return Boolean(first);
  };

  // A time that is not typed is now.
  const clocks = document.querySelectorAll("[data-utc]");
  const tick = () => clocks.forEach((one) => (one.placeholder = new Date().toISOString().slice(11, 19)));
  if (clocks.length > 0) setInterval(tick, 1_000, tick());

  // What was pressed may go with what it stood in, and the focus would go nowhere: it goes to what took its place.
  let held = null;
  document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
    const source = ctx.sourceElement;
    const isHeld = source.matches("form, [data-then]") && source.contains(document.activeElement);
    held = isHeld ? { ctx, next: source.dataset.then, form: source.id } : null;
  });
  document.addEventListener("htmx:after:swap", ({ detail }) => {
    if (hurried && hurried === detail.ctx.sourceElement) takeFirst(hurried);
    if (held?.ctx !== detail.ctx) return;
    const { next, form } = held;
    if (next) document.getElementById(next).focus();
    else if (document.activeElement === document.body) {
      const anew = document.getElementById(form);
      const [button] = anew ? within(anew, "button") : [];
      (button ?? document.getElementById("content")).focus({ preventScroll: true });
    }
  });

  document.addEventListener("keydown", (event) => {
    const { key, altKey, ctrlKey, metaKey, isComposing } = event;
    if (event.defaultPrevented || isComposing || altKey) return;
    const isCommand = ctrlKey || metaKey;
    if (isCommand && key.toLowerCase() !== "k") return;
    const isTyping = Boolean(document.activeElement?.matches(FIELD));
    const isMove = (key === "ArrowDown" || key === "ArrowUp") && Boolean(palette());
    const isDone = isCommand
      ? (use(controlOf("Control+k")), true)
      : isTyping
        ? inField(event)
        : isMove
          ? step(key === "ArrowDown" ? 1 : -1)
          : key.length === 1 && act(key);
    if (isDone) event.preventDefault();
  });
})();

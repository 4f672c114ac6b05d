// Keys stand for controls that are on the page anyway: pressing one does what a click on the control does. Which key is
// whose the markup says, in data-key; data-row marks the link of a row that j and k move through. The row that had the
// focus last is the current one (aria-current), also while the focus is elsewhere: in its panel, or nowhere.
"use strict";

// It would wire the page some moments after this script, and what is typed until then would not be heard.
htmx.initialize();

(() => {
  const FIELD = "input:not([type=checkbox], [type=radio], [type=file]), textarea, select";
  const ROW = "main :is(tr, li):has([data-row])";
  const PATIENCE_MS = 1_500;
  const PANEL_DELAY_MS = 80;
  let begun = { key: "", until: 0 };

  const isThere = (element) => element.checkVisibility() && !element.disabled;
  const palette = () => document.querySelector(":popover-open:has([data-row], input)");
  const within = (place, selector) => [...place.querySelectorAll(selector)].filter(isThere);

  const use = (control) => {
    if (!control?.matches(FIELD)) return control?.click();
    control.focus();
    control.select?.();
  };

  const currentRow = () => document.querySelector(`${ROW}[aria-current]`);
  const focusRow = (row) => row.querySelector("[data-row]").focus({ preventScroll: true });
  const panelButton = (row) => row?.querySelector("[data-row-key][popovertarget]");
  const hasOpenPanel = (row) => Boolean(panelButton(row)?.popoverTargetElement.matches(":popover-open"));

  document.addEventListener("focusin", ({ target }) => {
    const row = target.closest(ROW);
    if (!row) return;
    currentRow()?.removeAttribute("aria-current");
    row.setAttribute("aria-current", "true");
  });
  document.addEventListener("click", ({ target }) => {
    const row = target.closest(ROW);
    if (row && document.activeElement.tabIndex < 0 && getSelection().isCollapsed) focusRow(row);
    if (target.closest("[popovertargetaction=hide]") && currentRow()) focusRow(currentRow());
    // The address may have changed since the page was loaded: the link must stay on this page.
    const skip = target.closest("a.skip");
    if (skip) skip.search = location.search;
  });

  const step = (by) => {
    if (palette()) return moveOption(by);
    const rows = within(document, "[data-row]");
    const here = rows.findIndex((link) => (link.closest("tr, li") ?? link) === currentRow());
    const next = here === -1 ? rows[0] : rows[Math.min(rows.length - 1, Math.max(0, here + by))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
    clearTimeout(panelTimer);
    panelTimer = setTimeout(followInPanel, PANEL_DELAY_MS, next?.closest(ROW));
    return Boolean(next);
  };

  let panelTimer = 0;
  const followInPanel = (row) => {
    if (hasOpenPanel(row)) panelButton(row).click();
  };

  /** The arrows move through rows where they would otherwise scroll, once a row is current. */
  const isAtRows = () => {
    const { activeElement } = document;
    const row = currentRow();
    return row && (activeElement.tabIndex < 0 || activeElement.closest(ROW) || hasOpenPanel(row));
  };

  const controlOf = (key) => {
    const row = currentRow();
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
    if (value.trim() === "") {
      activeOption()?.click();
      return Boolean(activeOption());
    }
    const found = form.parentElement.querySelector("[data-words]");
    const isWaiting = found?.dataset.words !== value && form.hasAttribute("hx-get") && hurried !== form;
    hurried = isWaiting ? form : null;
    if (found?.dataset.words !== value) return isWaiting;
    const chosen = activeOption() ?? within(found, "[data-row]")[0];
    chosen?.click();
    return Boolean(chosen);
  };

  // The palette is a combobox: the focus stays in its field, and the arrows move through the options.
  const paletteField = document.getElementById("palette-words");
  const options = () => (palette() === null ? [] : within(palette(), "[role=option]"));
  const activeOption = () => options().find((one) => one.ariaSelected === "true");
  const activate = (option) => {
    for (const one of options()) one.ariaSelected = String(one === option);
    if (option) paletteField.setAttribute("aria-activedescendant", option.id);
    else paletteField.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  };
  const moveOption = (by) => {
    const all = options();
    activate(all[Math.min(all.length - 1, Math.max(0, all.indexOf(activeOption()) + by))]);
    return true;
  };
  const setUpOptions = () => {
    const list = document.querySelector("#palette-found ul");
    if (list && paletteField.value.trim() === "") addUsed(list);
    const links = list ? [...list.querySelectorAll("[data-row]")] : [];
    for (const [at, link] of links.entries()) {
      Object.assign(link, { id: `option-${at}`, role: "option", tabIndex: -1 });
      for (let one = link.parentElement; one !== list; one = one.parentElement) one.role = "presentation";
    }
    if (list) Object.assign(list, { id: "palette-list", role: "listbox", ariaLabel: paletteField.ariaLabel });
    paletteField.role = "combobox";
    paletteField.ariaAutoComplete = "list";
    paletteField.ariaExpanded = String(Boolean(list));
    if (list) paletteField.setAttribute("aria-controls", list.id);
    else paletteField.removeAttribute("aria-controls");
    activate(links[0]);
    return links.length;
  };

  // What was opened from the palette comes first next time. It is kept for each user, and forgotten on signing out.
  const MAX_USED = 5;
  const usedKey = `qsolog used ${document.querySelector(".who .call")?.textContent}`;
  const listUsed = () => JSON.parse(localStorage.getItem(usedKey) ?? "[]");
  const addUsed = (list) => {
    for (const { href, words } of listUsed().reverse()) {
      const there = [...list.querySelectorAll("a")].find((link) => link.getAttribute("href") === href);
      const item = there?.closest("li") ?? document.createElement("li");
      if (!there) {
        const link = Object.assign(document.createElement("a"), { textContent: words });
        link.setAttribute("href", href);
        link.setAttribute("data-row", "");
        item.append(link);
      }
      list.prepend(item);
    }
  };
  document.addEventListener("click", ({ target }) => {
    const link = target.closest("#palette a[data-row]");
    if (!link) return;
    const href = link.getAttribute("href");
    const words = (
      link.firstElementChild?.matches("span") ? link.firstElementChild : link.firstChild
    ).textContent.trim();
    const used = [{ href, words }, ...listUsed().filter((one) => one.href !== href)];
    localStorage.setItem(usedKey, JSON.stringify(used.slice(0, MAX_USED)));
  });
  document.addEventListener("submit", ({ target }) => {
    if (target.getAttribute("action") === "logout") localStorage.removeItem(usedKey);
  });
  if (paletteField) setUpOptions();

  // Screen readers and speech input use single letters themselves.
  const singleKeys = document.getElementById("single-keys");
  if (singleKeys) singleKeys.checked = localStorage.getItem("qsolog single keys") !== "off";
  singleKeys?.addEventListener("change", () =>
    localStorage.setItem("qsolog single keys", singleKeys.checked ? "on" : "off"),
  );

  // The clock of the page, and of fields where a time that is not typed is now.
  const tick = () => {
    const time = new Date().toISOString().slice(11, 19);
    for (const one of document.querySelectorAll("[data-utc]")) one.placeholder = time;
    for (const one of document.querySelectorAll("[data-clock]")) one.textContent = time.slice(0, 5);
  };
  setInterval(tick, 1_000, tick());

  const announce = (words) => (document.getElementById("announcer").textContent = words);

  // The live region speaks the result of an action (data-say), and states that changed while the page was open.
  const SPEAK_DELAY_MS = 150;
  const sentences = () =>
    new Map(
      [...document.querySelectorAll("[data-say]")].map((one) => {
        const words = one.dataset.say || one.textContent.trim();
        return [one.id || words, { words, isResult: !one.id }];
      }),
    );
  let spoken = new Map();
  const speak = (isQuiet = false) => {
    const now = sentences();
    const news = [...now].filter(([id, { words }]) => spoken.get(id)?.words !== words).map(([, { words }]) => words);
    spoken = now;
    // A region that is filled as the page loads is not read.
    if (news.length > 0 && !isQuiet) setTimeout(announce, SPEAK_DELAY_MS, news.join(" "));
  };
  spoken = new Map([...sentences()].filter(([, { isResult }]) => !isResult));
  speak();

  // What was pressed may go with what it stood in, and the focus would go nowhere: it goes to what took its place.
  let held = null;
  document.addEventListener("htmx:before:swap", ({ detail: { ctx, tasks } }) => {
    const source = ctx.sourceElement;
    const isReload = tasks[0]?.target === source;
    if (isReload) keepRows(tasks[0]);
    places = isReload ? findPlaces() : [];
    const isHeld = source.matches("form, [data-then]") && source.contains(document.activeElement);
    held = isHeld ? { ctx, next: source.dataset.then, form: source.id } : null;
  });
  document.addEventListener("htmx:after:swap", ({ detail }) => {
    slide();
    // A list that reloads itself whenever a contact arrives does not say so each time.
    speak(detail.ctx.sourceElement.hasAttribute("data-quiet"));
    countSelected();
    if (detail.ctx.sourceElement === paletteField?.form) {
      const count = setUpOptions();
      announce(`${count} ${count === 1 ? "result" : "results"}`);
    }
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

  // A part that reloads itself moves nothing abruptly: what has another place afterwards slides there.
  const SLIDE_MS = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : 200;
  const MOVABLE = "main :is(section, article, details, form, table, th, tr, li, h2, p, dl > div)";
  let places = [];
  const findPlaces = () =>
    [...document.querySelectorAll(MOVABLE)]
      .map((one) => ({ one, was: one.getBoundingClientRect() }))
      .filter(({ was }) => was.height > 0 && was.bottom > 0 && was.top < innerHeight);
  const slide = () => {
    const moved = [];
    // An element that moved with its parent is where it was once the parent is put back.
    for (const { one, was } of places.filter(({ one }) => one.checkVisibility())) {
      const { x, y } = one.getBoundingClientRect();
      if (x === was.x && y === was.y) continue;
      const translate = `${was.x - x}px ${was.y - y}px`;
      one.style.translate = translate;
      moved.push({ one, translate });
    }
    // After the next frame, which shows everything where it was.
    const start = () => {
      for (const { one, translate } of moved) {
        one.removeAttribute("style");
        one.animate({ translate: [translate, "0px 0px"] }, { duration: SLIDE_MS, easing: "ease-out" });
      }
    };
    if (moved.length > 0) requestAnimationFrame(() => requestAnimationFrame(start));
    places = [];
  };

  /** A list that loads itself again keeps its current row, and the chosen rows at its end that new ones pushed off the page. */
  const keepRows = ({ target, fragment }) => {
    const rows = [...target.querySelectorAll("tr[id]")];
    const kept = ({ id }) => fragment.querySelector(`#${CSS.escape(id)}`);
    const pushedOff = rows.slice(rows.findLastIndex(kept) + 1).filter((row) => row.querySelector(":checked"));
    fragment.querySelector("tbody")?.append(...pushedOff.map((row) => row.cloneNode(true)));
    const current = rows.find((row) => row === currentRow());
    if (current) kept(current)?.setAttribute("aria-current", "true");
  };

  // Only pages from https can copy by themselves, if the browser lets them. Otherwise the text is selected, to be copied by hand.
  document.addEventListener("click", ({ target }) => {
    if (!target.matches("[data-copy]")) return;
    const text = target.previousElementSibling;
    getSelection().selectAllChildren(text);
    const copied = navigator.clipboard?.writeText(text.textContent) ?? Promise.reject();
    copied.then(() => announce("Copied")).catch(() => announce("Selected"));
  });

  const countSelected = () => {
    const count = document.getElementById("selected-count");
    if (!count) return "";
    return (count.textContent = `${document.querySelectorAll("#rows :checked").length} selected`);
  };
  const saySelected = () => announce(countSelected());
  document.addEventListener("change", ({ target }) => {
    if (target.closest("#rows")) saySelected();
  });
  document.addEventListener("reset", ({ target }) => target.id === "chosen" && setTimeout(saySelected));

  const closeMenus = (outside) => {
    for (const menu of document.querySelectorAll(".menu[open]")) {
      if (menu.contains(outside)) continue;
      if (menu.contains(document.activeElement)) menu.firstElementChild.focus();
      menu.open = false;
    }
  };
  document.addEventListener("click", ({ target }) => closeMenus(target));

  document.addEventListener("keydown", (event) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey, isComposing } = event;
    if (event.defaultPrevented || isComposing || altKey) return;
    const isCommand = ctrlKey || metaKey;
    const takeBack = document.getElementById("take-back");
    if (isCommand && key === "z" && takeBack && !document.activeElement.value) {
      event.preventDefault();
      return takeBack.click();
    }
    if (isCommand && key.toLowerCase() !== "k") return;
    const isTyping = Boolean(document.activeElement?.matches(FIELD));
    if (key === "Escape") closeMenus(null);
    if (key === "Escape" && hasOpenPanel(currentRow())) focusRow(currentRow());
    const isMove = !shiftKey && (key === "ArrowDown" || key === "ArrowUp") && (palette() || isAtRows());
    const isDone = isCommand
      ? (use(controlOf("Control+k")), true)
      : isTyping
        ? inField(event)
        : isMove
          ? step(key === "ArrowDown" ? 1 : -1)
          : key.length === 1 && singleKeys?.checked !== false && act(key);
    if (isDone) event.preventDefault();
  });
})();

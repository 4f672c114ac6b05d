// A chart is one tab stop: the arrows move through its places, Enter opens the contacts of the current one, and the
// pointer names what it is over. Names, numbers and addresses come from the table of the chart (data-table), which is
// in a template until somebody opens it. A chart is a grid of cells (data-grid), columns of which each row has the first
// and the number (data-columns), shapes with the key of a row (data-key), or places of which each row has the position.
"use strict";

(() => {
  const NEAR = 14;
  const SIDE = 12;
  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const current = new WeakMap();

  const words = (cell) => cell.textContent.trim();
  const tableOf = (svg) => {
    const holder = document.getElementById(svg.dataset.table);
    return (holder.content ?? holder).querySelector("table");
  };

  /** The cells of a grid, or the places of a map, each with its box, its words and its address. */
  const placesOf = (svg) => {
    const table = tableOf(svg);
    const rows = [...table.tBodies[0].rows];
    const box = (x, y) => ({ x: x - SIDE / 2, y: y - SIDE / 2, width: SIDE, height: SIDE });
    const heads = [...table.tHead.rows[0].cells].map(words);
    /** "Turkey, 1,400 km, 27 QSOs". */
    const nameOf = (row) =>
      [...row.cells]
        .map((cell, at) => (cell.matches(".num") ? `${words(cell)} ${heads[at]}` : words(cell)))
        .filter(Boolean)
        .join(", ");
    const ofRow = (row, key) => ({
      key,
      words: nameOf(row),
      href: row.querySelector("a")?.getAttribute("href"),
    });
    if (svg.dataset.grid) {
      const [left, width, height, from, count] = svg.dataset.grid.split(" ").map(Number);
      const { unit } = table.dataset;
      return rows.flatMap((row, at) =>
        Array.from({ length: count }, (_, column) => {
          const cell = row.cells[1 + from + column];
          return {
            x: left + column * width,
            y: at * height,
            width,
            height,
            words: unit ? `${words(row.cells[0])}, ${heads[1 + from + column]}, ${words(cell)} ${unit}` : nameOf(row),
            href: cell.querySelector("a")?.getAttribute("href"),
          };
        }),
      );
    }
    if (svg.dataset.columns) {
      const [left, width, height] = svg.dataset.columns.split(" ").map(Number);
      return rows.map((row) => {
        const [first, count] = row.dataset.at.split(" ").map(Number);
        return { x: left + first * width, y: 0, width: count * width, height, ...ofRow(row) };
      });
    }
    const shapes = [...svg.querySelectorAll("[data-key]")];
    if (shapes.length === 0)
      return rows
        .filter((row) => row.dataset.at)
        .map((row) => ({ ...box(...row.dataset.at.split(" ").map(Number)), ...ofRow(row) }));
    const byKey = new Map(rows.map((row) => [row.dataset.key, row]));
    return shapes
      .filter(({ dataset }) => byKey.has(dataset.key))
      .map((shape) => {
        const { x, y, width, height } = shape.getBBox();
        return { x, y, width, height, ...ofRow(byKey.get(shape.dataset.key), shape.dataset.key) };
      });
  };

  const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

  /** The place under a point: that of the shape, or the nearest one. */
  const findAt = (places, target, [px, py]) => {
    const key = target.closest("[data-key]")?.dataset.key;
    if (key) return places.find((place) => place.key === key);
    const within = places.find(({ x, y, width, height }) => px >= x && px < x + width && py >= y && py < y + height);
    if (within && !within.key) return within;
    const [near] = places
      .map((place) => ({ place, away: Math.hypot(middle(place)[0] - px, middle(place)[1] - py) }))
      .sort((a, b) => a.away - b.away);
    return near?.away < NEAR ? near.place : undefined;
  };

  /** The nearest place in a direction. Cells in the same row or column come first. */
  const findNext = (places, from, [dx, dy]) => {
    const [x, y] = middle(from);
    const [next] = places
      .map((place) => {
        const [px, py] = middle(place);
        return {
          place,
          along: (px - x) * dx + (py - y) * dy,
          across: Math.abs((px - x) * dy) + Math.abs((py - y) * dx),
        };
      })
      .filter(({ along, across }) => along > 0.5 && across <= along * 1.5)
      .sort((a, b) => a.along + 3 * a.across - (b.along + 3 * b.across));
    return next?.place;
  };

  const show = (svg, place) => {
    let mark = svg.querySelector(".cursor");
    if (!mark) svg.append((mark = document.createElementNS(svg.namespaceURI, "rect")));
    mark.setAttribute("class", "cursor");
    for (const side of ["x", "y", "width", "height"]) mark.setAttribute(side, place[side]);
    const name = svg.closest("figure").querySelector(".pointed");
    if (name) name.textContent = place.words;
    current.set(svg, place);
  };

  const chartOf = (target) => target.closest?.("svg[data-table]");
  const pointOf = (svg, { clientX, clientY }) => {
    const { a, d, e, f } = svg.getScreenCTM();
    return [(clientX - e) / a, (clientY - f) / d];
  };

  const known = new WeakMap();
  const listPlaces = (svg) => {
    if (!known.has(svg)) known.set(svg, placesOf(svg));
    return known.get(svg);
  };

  for (const type of ["pointermove", "click"])
    document.addEventListener(type, (event) => {
      const svg = chartOf(event.target);
      const place = svg && findAt(listPlaces(svg), event.target, pointOf(svg, event));
      if (!place) return;
      show(svg, place);
      svg.classList.toggle("leads", Boolean(place.href));
      if (type === "click" && place.href) location.href = place.href;
    });

  document.addEventListener("keydown", (event) => {
    const svg = chartOf(event.target);
    const step = STEPS[event.key];
    if (!svg || event.altKey || event.ctrlKey || event.metaKey || !(step || event.key === "Enter")) return;
    event.preventDefault();
    const here = current.get(svg);
    if (!step) return void (here?.href && (location.href = here.href));
    const places = listPlaces(svg);
    // The newest is at the top right.
    const [newest] = places.filter(({ y, href }) => href && y === places[0].y).sort((a, b) => b.x - a.x);
    const next = here ? findNext(places, here, step) : newest;
    const place = next ?? here ?? places[0];
    if (!place) return;
    show(svg, place);
    document.getElementById("announcer").textContent = place.words;
  });

  // A link opens the table in its place.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-opens]");
    const holder = link && document.getElementById(link.dataset.opens);
    if (!holder || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    let table = holder;
    if (holder.content) {
      table = document.createElement("div");
      for (const [name, value] of Object.entries({ class: "scroll", id: holder.id, tabindex: "0", role: "group" }))
        table.setAttribute(name, value);
      table.setAttribute("aria-label", holder.dataset.label);
      table.append(holder.content);
      holder.replaceWith(table);
    } else table.hidden = !table.hidden;
    link.setAttribute("aria-expanded", String(!table.hidden));
    if (!table.hidden) table.focus({ preventScroll: true });
  });
})();

/** @jsxImportSource @kitajs/html */

/** Paths on a grid of 16 pixels. */
const PATHS = {
  home: "M2.5 7.5 8 3l5.5 4.5M4 6.5V13h8V6.5M6.8 13V9.5h2.4V13",
  list: "M2.5 4h11M2.5 8h11M2.5 12h7",
  award: "M8 9.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM5.8 9l-1 5L8 12.2 11.2 14l-1-5",
  bars: "M2.5 13.5h11M4 11V8M6.7 11V4M9.3 11V6M12 11V2.5",
  sync: "M3 6.5A5.2 5.2 0 0 1 12.6 5M13 2.5V5.3h-2.8M13 9.5A5.2 5.2 0 0 1 3.4 11M3 13.5v-2.8h2.8",
  sliders: "M2.5 5h5M11 5h2.5M2.5 11H5M8.5 11h5M9.2 3.3v3.4M6.8 9.3v3.4",
  users:
    "M6 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6ZM1.8 13.2c.3-2.6 1.9-3.9 4.2-3.9s3.9 1.3 4.2 3.9M10.6 3.2a2.2 2.2 0 0 1 0 4.1M12 9.8c1.3.5 2 1.7 2.2 3.4",
  plus: "M8 3v10M3 8h10",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3l3.4 3.4",
  keyboard: "M2 4h12v8H2zM5 9.7h6M4.5 6.7h.01M8 6.7h.01M11.5 6.7h.01",
  exit: "M6.5 3H3v10h3.5M7 8h6.5M11 5.5 13.5 8 11 10.5",
  panel: "M2.5 3h11v10h-11zM9.5 3v10",
  check: "M3 8.5 6.5 12 13 4.5",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.6",
  warning: "M8 2.5 14.3 13.3H1.7ZM8 6.5v3M8 11.4h.01",
  cross: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6 6l4 4M10 6l-4 4",
  undo: "M5.5 3 2.5 6l3 3M2.5 6h7a3.8 3.8 0 0 1 0 7.5H6",
  star: "m8 2.2 1.8 3.7 4 .6-2.9 2.8.7 4L8 11.4l-3.6 1.9.7-4L2.2 6.5l4-.6Z",
  info: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.4v3.4M8 5.1h.01",
} as const;

export type IconName = keyof typeof PATHS;

/** A sign beside a word. Screen readers skip it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);

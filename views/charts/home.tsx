/** @jsxImportSource @kitajs/html */

/** The place from which contacts were made. */
export interface Home {
  lat: number;
  lon: number;
}

/** In percent of the map's width. */
const HALF_A_PHONE = 21;

/** On a screen narrower than the map, scrolling starts with home in the middle. `at` is its position from 0 to 1. */
export const HomeLine = ({ at }: { at: number }) => (
  <div class="home-line" aria-hidden="true">
    <svg width={`${Math.max(0, Math.round(at * 100) - HALF_A_PHONE)}%`} height="1"></svg>
    <span class="home-mark"></span>
  </div>
);

export const HomeMark = ({ x, y }: { x: number; y: number }) => (
  <path class="home" d={`M${Math.round(x)} ${Math.round(y) - 9}l3 6 6 3-6 3-3 6-3-6-6-3 6-3z`} />
);

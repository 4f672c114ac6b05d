/** @jsxImportSource @kitajs/html */
import { utc } from "../words.ts";

/** A moment in UTC. */
export const Moment = ({ at, title }: { at: number; title?: string }) => (
  <time datetime={new Date(at).toISOString()} title={title} safe>
    {utc(at)}
  </time>
);

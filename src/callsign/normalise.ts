import { dissect } from "./parts.ts";

const SHAPE = /^(?=.*[A-Z])(?=.*\d)[A-Z0-9]+(\/[A-Z0-9]+){0,3}$/;

export function normaliseCall(text: string): string {
  return text.trim().toUpperCase().replaceAll("Ø", "0").replaceAll("_", "/");
}

/** Only ever a warning: RAEM and XEFTJW are on the air and have no digit. */
export function looksLikeCall(call: string): boolean {
  return SHAPE.test(call);
}

/** The call as licensed: PJ2/K1ABC/P is K1ABC. */
export function baseCall(call: string): string {
  return dissect(normaliseCall(call)).base;
}

import { AppError } from "../../kernel/errors.ts";
import type { Problem } from "../../../views/form.tsx";
import { problemOf } from "./forms.ts";
import { LABELS } from "../../domain/origins/labels.ts";
import type { Service } from "../../domain/jobs/source.ts";

const SAID_OF_SERVICES = /\b(?:(first|second)(Only)?|cardOnly)\b/g;

/**
 * A message with the services' names, where the contract says `first` and `firstOnly`. Text in quotation marks was
 * typed by the user and stays unchanged.
 */
export const inLabels = (message: string): string => {
  const parts = message.split('"');
  let isTyped = false;
  return parts
    .map((part, index) => {
      const isEscaped = isTyped && parts[index - 1]!.endsWith("\\");
      if (index > 0 && !isEscaped) isTyped = !isTyped;
      return isTyped ? part : part.replace(SAID_OF_SERVICES, labelOf);
    })
    .join('"');
};

const labelOf = (all: string, service?: Service, only?: string): string => {
  if (service) return LABELS[service] + (only ? " only" : "");
  return all === "cardOnly" ? "card only" : all;
};

/** An invalid question, shown next to the form it was asked with. Any other error is thrown. */
export const problemOfQuestion = (form: string, error: unknown): Problem => {
  if (!(error instanceof AppError) || error.code !== "invalid") throw error;
  return problemOf(form, { message: inLabels(error.message) });
};

import { LABELS } from "../domain/origins/labels.ts";
import type { Service } from "../domain/source.ts";

/** What was typed stands between quotation marks and stays as it is. */
const SAID_OF_SERVICES = /"(?:[^"\\]|\\.)*"|\b(?:(first|second)(Only)?|cardOnly)\b/g;

/** A refusal in the words of the pages, where the contract calls a service `first` and its confirmations `firstOnly`. */
export const inLabels = (message: string): string =>
  message.replace(SAID_OF_SERVICES, (all: string, service?: Service, only?: string) => {
    if (service) return LABELS[service] + (only ? " only" : "");
    return all === "cardOnly" ? "card only" : all;
  });

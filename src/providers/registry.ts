import type { Provider } from "../domain/jobs/provider.ts";
import type { Service } from "../domain/jobs/source.ts";
import { first } from "./first.ts";
import { second } from "./second.ts";

export const providers: Record<Service, Provider> = { first, second };

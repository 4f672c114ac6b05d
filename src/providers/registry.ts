import type { Provider } from "../domain/provider.ts";
import type { Service } from "../domain/source.ts";
import { first } from "./first.ts";
import { second } from "./second.ts";

export const providers: Record<Service, Provider> = { first, second };

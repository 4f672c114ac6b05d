/**
 * The external logbook services, each with its bit in the columns `recorded_by` and `confirmed_by`. Only the origins and
 * providers know which services these are.
 */
export const SERVICE_BITS = { first: 8, second: 16 } as const;
export type Service = keyof typeof SERVICE_BITS;
export const SERVICES = Object.keys(SERVICE_BITS) as readonly Service[];

/** Builds a record with one value for each service. */
export const byService = <T>(answer: (service: Service) => T): Record<Service, T> =>
  Object.fromEntries(SERVICES.map((service) => [service, answer(service)])) as Record<Service, T>;

/** Where contacts come from. A feed is a program that sends contacts as they are made. */
export const SOURCES = [...SERVICES, "file", "feed", "repair"] as const;
export type Source = (typeof SOURCES)[number];

/** Whether the source is an external service with an account and a cursor. */
export const isService = (source: Source | "own"): source is Service =>
  (SERVICES as readonly string[]).includes(source);

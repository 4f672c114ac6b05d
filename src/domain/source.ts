/** The two external logbook services. What stands behind each word, only its origin and its provider know. */
export const SERVICES = ["first", "second"] as const;
export type Service = (typeof SERVICES)[number];

/** The same question to each service. */
export const byService = <T>(answer: (service: Service) => T): Record<Service, T> =>
  Object.fromEntries(SERVICES.map((service) => [service, answer(service)])) as Record<Service, T>;

/** Where contacts come from. */
export const SOURCES = [...SERVICES, "file"] as const;
export type Source = (typeof SOURCES)[number];

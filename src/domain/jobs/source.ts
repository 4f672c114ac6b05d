/** The external logbook services. What stands behind each word, only its origin and its provider know. */
export const SERVICES = ["first", "second"] as const;
export type Service = (typeof SERVICES)[number];

/** The same question to each service. */
export const byService = <T>(answer: (service: Service) => T): Record<Service, T> =>
  Object.fromEntries(SERVICES.map((service) => [service, answer(service)])) as Record<Service, T>;

/** Where contacts come from; a feed is a program that tells of them as it makes them. */
export const SOURCES = [...SERVICES, "file", "feed", "repair"] as const;
export type Source = (typeof SOURCES)[number];

/** Whether contacts come from outside, over an account and from a cursor on. */
export const isService = (source: Source | "own"): source is Service =>
  (SERVICES as readonly string[]).includes(source);

/** What people call each source. */
export type Labels = Record<Source, string>;

/** The source that somebody names, by its label or by our word for it, in any case; null for another text. */
export const readSource = (text: string, labels: Labels): Source | null => {
  const word = text.trim().toLowerCase();
  return SOURCES.find((source) => word === source || word === labels[source].toLowerCase()) ?? null;
};

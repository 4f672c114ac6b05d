/** The external services, by the neutral words that identify them everywhere. */
export const SERVICES = ["first", "second"] as const;
export type Service = (typeof SERVICES)[number];

/** Where a job takes contacts from: a service, or a file a person gives. */
export const SOURCES = ["first", "second", "file"] as const;
export type Source = (typeof SOURCES)[number];

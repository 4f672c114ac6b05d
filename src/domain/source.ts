/** The two external logbook services. What stands behind each word, only its provider knows. */
export const SERVICES = ["first", "second"] as const;
export type Service = (typeof SERVICES)[number];

/** Where contacts come from. */
export const SOURCES = [...SERVICES, "file"] as const;
export type Source = (typeof SOURCES)[number];

import { byService, type Service } from "../src/domain/source.ts";

/** What people call the two services. */
export const readLabels = async (): Promise<Record<Service, string>> => {
  const { providers } = await import("../src/providers/registry.ts");
  return byService((service) => providers[service].label);
};

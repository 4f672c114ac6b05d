import type { TSchema } from "typebox";

/** A schema of the OpenAPI document with the shapes that it refers to. */
export const resolved = (document: any, schema: any): TSchema => {
  if (Array.isArray(schema)) return schema.map((part) => resolved(document, part)) as never;
  if (typeof schema !== "object" || schema === null) return schema;
  if (typeof schema.$ref === "string") {
    return resolved(document, document.components.schemas[schema.$ref.split("/").at(-1)]);
  }
  return Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, resolved(document, part)])) as never;
};

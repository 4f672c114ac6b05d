import { CodePacker, type Shared } from "../../src/domain/packed-codes.ts";

/** A column of the values of one contact after the other. */
export const packCoded = (values: readonly Shared[]): Uint8Array => {
  const packer = new CodePacker();
  for (const value of values) packer.add(value);
  return packer.packed();
};

import { expect, test } from "bun:test";
import { toContractWord, parseService } from "../../cli/words.ts";
import { getValues } from "../../cli/values.ts";
import { readSource } from "../../src/domain/origins/labels.ts";

test("a service can be named by its label or by first and second, in any case", () => {
  expect(["lotw", "LoTW", " FIRST "].map((text) => parseService(text))).toEqual(["first", "first", "first"]);
  expect(["QRZ", "second"].map((text) => parseService(text))).toEqual(["second", "second"]);
  expect(() => parseService("file")).toThrow('There is no service "file". Use lotw or qrz.');
  expect(["Import", "file", "eqsl"].map((text) => readSource(text))).toEqual(["file", "file", null]);
});

test("a list of confirmations is sent with the contract's names", () => {
  expect(toContractWord("lotwOnly, QRZ,none,firstonly,both,card")).toBe("firstOnly,second,none,firstOnly,both,card");
  expect(toContractWord("lotw-only,card-only,first")).toBe("firstOnly,cardOnly,first");
  expect(["sponsor", "LoTW", "any", "file"].map(toContractWord)).toEqual(["sponsor", "first", "any", "file"]);
});

test("completion offers the labels of services", () => {
  expect(getValues("service")).toMatchObject({ words: ["lotw", "first", "qrz", "second"] });
  expect(getValues("lotw|qrz|all")).toMatchObject({ words: ["lotw", "first", "qrz", "second", "all"] });
  expect(getValues("confirmer")).toMatchObject({
    words: ["sponsor", "lotw", "first", "qrz", "second", "card", "any"],
  });
});

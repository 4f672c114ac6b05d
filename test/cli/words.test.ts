import { expect, test } from "bun:test";
import { toContractWord, parseService } from "../../cli/words.ts";
import { getValues } from "../../cli/values.ts";
import { readSource } from "../../src/domain/jobs/source.ts";
import { LABELS } from "../../src/domain/origins/labels.ts";

test("a service is named by its label or by our word for it, in any case", () => {
  expect(["lotw", "LoTW", " FIRST "].map((text) => parseService(text))).toEqual(["first", "first", "first"]);
  expect(["QRZ", "second"].map((text) => parseService(text))).toEqual(["second", "second"]);
  expect(() => parseService("file")).toThrow('There is no service "file". Use lotw or qrz.');
  expect(["Import", "file", "eqsl"].map((text) => readSource(text, LABELS))).toEqual(["file", "file", null]);
});

test("a list of confirmations is given on in the words of the contract", () => {
  expect(toContractWord("lotwOnly, QRZ,none,firstonly,both,card")).toBe("firstOnly,second,none,firstOnly,both,card");
  expect(["sponsor", "LoTW", "any", "file"].map(toContractWord)).toEqual(["sponsor", "first", "any", "file"]);
});

test("what can be said with a label is offered with it", () => {
  expect(getValues("service")).toMatchObject({ words: ["lotw", "first", "qrz", "second"] });
  expect(getValues("lotw|qrz|all")).toMatchObject({ words: ["lotw", "first", "qrz", "second", "all"] });
  expect(getValues("confirmer")).toMatchObject({
    words: ["sponsor", "lotw", "first", "qrz", "second", "card", "any"],
  });
});

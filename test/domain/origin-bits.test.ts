import { describe, expect, test } from "bun:test";
import { derive } from "../../src/domain/contact/derive.ts";
import type { Layers } from "../../src/domain/contact/layers.ts";
import { computeConfirmedBy, ORIGIN_BITS, computeRecordedBy } from "../../src/domain/origins/bits.ts";
import { facts } from "../contacts/log.ts";
import { aFileRecord, aFirstRecord, aSecondRecord, theLayers } from "../support/contacts.ts";

const { own, file, first, second } = ORIGIN_BITS;

const masksOf = (layers: Layers) => {
  const qso = { ...derive(layers, facts)!, ...layers };
  return { recorded: computeRecordedBy(qso), confirmed: computeConfirmedBy(qso) };
};

const theFile = (fields: Record<string, string> = {}) => aFileRecord({ fields });

describe("the masks of a contact", () => {
  test.each<[string, Layers, recorded: number, confirmed: number]>([
    ["read from a file", theLayers({ file: theFile() }), file, 0],
    ["with a paper card", theLayers({ file: theFile({ QSL_RCVD: "Y" }) }), file, own],
    ["typed over a file", theLayers({ file: theFile(), typed: { NAME: "Ann" } }), own | file, 0],
    ["that a service has", theLayers({ second: aSecondRecord() }), second, 0],
    [
      "that both services confirm",
      theLayers({ qsl: aFirstRecord(), second: aSecondRecord({ confirmed: true }) }),
      first | second,
      first | second,
    ],
    ["that a file says a service confirmed", theLayers({ file: theFile({ LOTW_QSL_RCVD: "Y" }) }), file | first, first],
    ["with an id of a service in a file", theLayers({ file: theFile({ APP_QRZLOG_LOGID: "7" }) }), file | second, 0],
  ])("%s", (_, layers, recorded, confirmed) => {
    expect(masksOf(layers)).toEqual({ recorded, confirmed });
  });
});

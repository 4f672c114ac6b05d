import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AdifStream, parseAdif } from "../../src/listen/adif.ts";
import { Broken, type Reading } from "../../src/listen/parsed-contact.ts";
import { parseN1mm } from "../../src/listen/n1mm.ts";
import { parseWsjtx } from "../../src/listen/wsjtx.ts";
import { adifOf, contest, heartbeat, loggedAdif, n1mm, qsoLogged } from "./packets.ts";
import { isFull } from "../support/full.ts";

const AT = Date.UTC(2026, 6, 18, 23, 59, 45);
const FULL = isFull(import.meta);

describe("WSJT-X", () => {
  test("a contact is parsed with all its fields", () => {
    expect(parseWsjtx(qsoLogged({ call: "K1ABC", at: AT }))).toEqual([
      {
        client: "WSJT-X",
        awaits: "wsjtx WSJT-X K1ABC",
        sameAs: "wsjtx WSJT-X K1ABC",
        told: {
          kind: "contact",
          fields: {
            CALL: "K1ABC",
            GRIDSQUARE: "FN42",
            FREQ: "14.075123",
            MODE: "FT8",
            RST_SENT: "-05",
            RST_RCVD: "+02",
            TX_PWR: "100",
            COMMENT: "a comment",
            QSO_DATE: "20260718",
            TIME_ON: "235945",
            QSO_DATE_OFF: "20260719",
            TIME_OFF: "000100",
            OPERATOR: "YU1OP",
            STATION_CALLSIGN: "YU1ABC",
            MY_GRIDSQUARE: "KN04",
            STX_STRING: "59 001",
            SRX_STRING: "59 002",
            PROP_MODE: "TR",
          },
        },
      },
    ]);
  });

  test("has the same contact as the ADIF packet", () => {
    const [logged] = parseWsjtx(qsoLogged({ call: "k1abc", at: AT }))!;
    const [adif] = parseWsjtx(loggedAdif({ call: "K1ABC", at: AT }))!;

    expect(adif!.sameAs).toBe(logged!.sameAs!);
    expect(adif!.client).toBe("WSJT-X");
    expect(adif!.told.fields).toMatchObject({ CALL: "K1ABC", TX_PWR: "100", STATION_CALLSIGN: "YU1ABC" });
  });

  test.each([0, 1, 2, 3, 4, 5])("an older program that sends %i of the last six fields is understood", (late) => {
    const [heard] = parseWsjtx(qsoLogged({ call: "K1ABC", at: AT, late, schema: 3, id: "JTDX", grid: null }))!;

    expect(heard!.client).toBe("JTDX");
    expect(heard!.told.fields!.CALL).toBe("K1ABC");
    expect(
      ["OPERATOR", "STATION_CALLSIGN", "MY_GRIDSQUARE", "STX_STRING", "SRX_STRING", "PROP_MODE"].filter(
        (name) => name in heard!.told.fields!,
      ),
    ).toHaveLength(late);
    expect(heard!.told.fields).not.toHaveProperty("GRIDSQUARE");
  });

  test("other packets are ignored, and invalid ones are reported", () => {
    expect(parseWsjtx(heartbeat())).toBeNull();
    for (const packet of [
      Buffer.alloc(0),
      Buffer.from("<call:5>K1ABC<eor>"),
      qsoLogged({ call: "K1ABC", at: AT, schema: 9 }),
      qsoLogged({ call: "K1ABC", at: AT, kind: 0 }),
      qsoLogged({ call: "", at: AT }),
      qsoLogged({ call: "K1ABC", at: AT }).subarray(0, 60),
    ]) {
      expect(() => parseWsjtx(packet)).toThrow(Broken);
    }
  });
});

describe("N1MM", () => {
  test("a contact is parsed with its id", () => {
    expect(parseN1mm(n1mm("contactinfo", contest("K1ABC", AT, { name: "Jos&#233; &amp; Ann", comment: "" })))).toEqual([
      {
        client: "N1MM",
        told: {
          kind: "contact",
          name: "e7a1b2c3d4e5f60718293a4b5c6d7e8f",
          fields: {
            CALL: "K1ABC",
            QSO_DATE: "20260718",
            TIME_ON: "235945",
            BAND: "20m",
            FREQ: "14.025",
            MODE: "CW",
            STATION_CALLSIGN: "YU1ABC",
            OPERATOR: "YU1OP",
            RST_SENT: "599",
            RST_RCVD: "599",
            SRX_STRING: "15",
            CONTEST_ID: "CQWWCW",
            NAME: "José & Ann",
          },
        },
      },
    ]);
  });

  test.each([
    ["14", "1402500", "20m", "14.025"],
    ["3,5", "351000", "80m", "3.51"],
    ["1.8", "182500", "160m", "1.825"],
    ["14", "14025000", "20m", "14.025"],
    ["432", "43220000", "70cm", "432.2"],
    ["28", "2802500", "10m", "28.025"],
    ["10", "1011000", "30m", "10.11"],
    ["", "702500", "", "7.025"],
  ])("band %p and frequency %p are %p and %p", (band, txfreq, wanted, megahertz) => {
    const [heard] = parseN1mm(n1mm("contactinfo", contest("K1ABC", AT, { band, txfreq, rxfreq: txfreq })))!;

    expect([heard!.told.fields!.BAND ?? "", heard!.told.fields!.FREQ]).toEqual([wanted, megahertz]);
  });

  test("an edit is matched with the preceding deletion and contains all fields", () => {
    const words = contest("K1ABD", AT, { comment: "" });
    const [deletion] = parseN1mm(n1mm("contactdelete", { app: "N1MM", call: "K1ABC", ID: words.ID! }))!;
    const [edit] = parseN1mm(n1mm("contactreplace", words))!;

    expect(deletion).toMatchObject({ told: { kind: "delete", name: words.ID!.toLowerCase() } });
    expect(edit!.answers).toBe(deletion!.awaits!);
    expect(edit!.told).toMatchObject({
      kind: "edit",
      name: words.ID!.toLowerCase(),
      fields: { CALL: "K1ABD", COMMENT: "" },
    });
  });

  test("an old program's deletion has no id and another time format", () => {
    expect(
      parseN1mm(
        n1mm("contactdelete", {
          call: "K1ABC",
          band: "14",
          mode: "CW",
          mycall: "YU1ABC",
          timestamp: "4/10/2016 4:17:41 PM",
        }),
      ),
    ).toEqual([
      {
        client: "N1MM",
        told: {
          kind: "delete",
          fields: {
            CALL: "K1ABC",
            QSO_DATE: "20160410",
            TIME_ON: "161741",
            BAND: "20m",
            MODE: "CW",
            STATION_CALLSIGN: "YU1ABC",
          },
        },
      },
    ]);
  });

  test("DXLog's own form is understood: guid, and newqso False when repeated", () => {
    const words: Record<string, string> = {
      ...contest("K1ABC", AT),
      logger: "DXLog.net v2.6",
      guid: "53D3C346",
      exch1: "282",
      exch2: "IO92JL",
      local: "True",
    };
    const { app: _app, ID: _id, IsOriginal: _original, exchangel: _exchange, ...own } = words;

    const [first] = parseN1mm(n1mm("contactinfo", { ...own, newqso: "True" }))!;
    const [again] = parseN1mm(n1mm("contactinfo", { ...own, newqso: "False" }))!;

    expect(first).toMatchObject({
      client: "DXLog.net v2.6",
      told: { kind: "contact", name: "53d3c346", fields: { SRX_STRING: "282 IO92JL" } },
    });
    expect(again!.told.kind).toBe("edit");
  });

  test("copies of other stations, radios, spots and scores are ignored", () => {
    expect(parseN1mm(n1mm("contactinfo", contest("K1ABC", AT, { IsOriginal: "False" })))).toEqual([]);
    for (const root of ["RadioInfo", "spot", "dynamicresults", "AppInfo", "lookupinfo"]) {
      expect(parseN1mm(n1mm(root, contest("K1ABC", AT)))).toBeNull();
    }
    expect(() => parseN1mm(Buffer.from("hello"))).toThrow(Broken);
    expect(() => parseN1mm(n1mm("contactinfo", { call: "" }))).toThrow(Broken);
  });
});

describe("ADIF", () => {
  test("one record, several, and a log with its header are parsed", () => {
    const [one, two] = [adifOf({ call: "K1ABC", at: AT }), adifOf({ call: "K2DEF", at: AT })];

    expect(parseAdif(Buffer.from(one)).map(({ client, told }) => [client, told.fields!.CALL])).toEqual([
      ["ADIF", "K1ABC"],
    ]);
    expect(
      parseAdif(Buffer.from(`x <programid:4>fldi <eoh>${one}${two}`)).map(({ client, told }) => [
        client,
        told.fields!.CALL,
      ]),
    ).toEqual([
      ["fldi", "K1ABC"],
      ["fldi", "K2DEF"],
    ]);
    expect(parseAdif(Buffer.from("nothing of the kind"))).toEqual([]);
  });

  test("a stream cut anywhere is parsed the same, each record as soon as it ends", () => {
    const records = ["K1ABC", "K2DEF", "Łukasz"].map((call) => adifOf({ call, at: AT }));
    const text = Buffer.from(`x <programid:4>fldi <eoh>${records.join("\n")}`);
    const whole = parseAdif(text);

    for (let cut = 1; cut < text.length; cut += 7) {
      const ear = new AdifStream();
      const pieces = [ear.write(text.subarray(0, cut)), ear.write(text.subarray(cut)), ear.end()];
      expect(pieces.flat()).toEqual(whole);
      expect(pieces[2]).toEqual([]);
    }
  });
});

/** Any input is parsed, ignored or reported as broken; nothing else is thrown. */
const fate = (hear: (packet: Uint8Array) => Reading, packet: Uint8Array): "heard" | "passed over" | "broken" => {
  try {
    const heard = hear(packet);
    if (heard === null) return "passed over";
    for (const { client, told } of heard) {
      expect(client).toMatch(/^.{1,64}$/u);
      expect(Object.values(told.fields ?? {}).every((value) => typeof value === "string")).toBe(true);
    }
    return "heard";
  } catch (error) {
    if (error instanceof Broken) return "broken";
    throw error;
  }
};

// Invariant: hostile packets never crash or block `listen`
describe("hostile packets", () => {
  const EARS = { wsjtx: parseWsjtx, n1mm: parseN1mm, adif: parseAdif };
  const GOOD = [
    qsoLogged({ call: "K1ABC", at: AT }),
    loggedAdif({ call: "K1ABC", at: AT }),
    heartbeat(),
    n1mm("contactinfo", contest("K1ABC", AT)),
    n1mm("contactdelete", contest("K1ABC", AT)),
    Buffer.from(adifOf({ call: "K1ABC", at: AT })),
  ];
  const runs = { numRuns: FULL ? 5_000 : 400 };

  test.each(Object.entries(EARS))("%s: no bytes cause an unexpected exception", (_name, hear) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => void fate(hear, bytes)),
      runs,
    );
  });

  test.each(Object.entries(EARS))("%s: packets that are cut, changed and padded cause no harm", (_name, hear) => {
    const change = fc.record({
      packet: fc.constantFrom(...GOOD),
      at: fc.nat(2_000),
      bytes: fc.uint8Array({ maxLength: 12 }),
      cut: fc.nat(2_000),
    });
    fc.assert(
      fc.property(change, ({ packet, at, bytes, cut }) => {
        const changed = Buffer.from(packet);
        changed.set(bytes.subarray(0, Math.max(0, changed.length - at)), Math.min(at, changed.length));
        fate(hear, changed);
        fate(hear, changed.subarray(0, Math.min(cut, changed.length)));
      }),
      runs,
    );
  });

  const MAX_PACKET_BYTES = 65_507;
  const HOSTILE = {
    "open tags": "<contactinfo>" + "<a>".repeat(MAX_PACKET_BYTES),
    "open names": "<contactinfo>" + "<aaaa".repeat(MAX_PACKET_BYTES),
    "one long name": "<contactinfo><" + "a".repeat(MAX_PACKET_BYTES),
    "one long text": "<contactinfo><call>" + "a".repeat(MAX_PACKET_BYTES),
    declarations: "<?".repeat(MAX_PACKET_BYTES),
    "declared without end": "<!".repeat(MAX_PACKET_BYTES),
    spaces: " ".repeat(MAX_PACKET_BYTES),
    entities: "<contactinfo><call>" + "&#".repeat(MAX_PACKET_BYTES) + "</call>",
    "entities without end": "<contactinfo><call>" + "&#1111111".repeat(MAX_PACKET_BYTES / 9) + "</call>",
    lengths: "<call:99999>".repeat(MAX_PACKET_BYTES / 12),
    marks: "<".repeat(MAX_PACKET_BYTES),
    powers: "<call:1>K<tx_pwr:60000>" + " 1".repeat(30_000) + "<eor>",
    deep: "<a:1>".repeat(MAX_PACKET_BYTES / 5),
    nulls: "\0".repeat(MAX_PACKET_BYTES),
  };

  test.each(Object.entries(HOSTILE))("the largest packet of %s is parsed quickly", (_name, text) => {
    const packet = Buffer.from(text).subarray(0, MAX_PACKET_BYTES);
    const before = process.cpuUsage();

    for (const hear of Object.values(EARS)) fate(hear, packet);

    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});

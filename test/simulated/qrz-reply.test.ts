import { describe, expect, test } from "bun:test";
import { type QrzStyle, formatReply, USUAL_STYLE } from "../../src/simulated/qrz-reply.ts";
import { aRecord, aWorld, fillBook, logidsOf } from "./world.ts";

const PLAIN: QrzStyle = { ...USUAL_STYLE, shuffleKeys: false, shuffleFields: false };

/** The bytes of one field, as Latin-1 text so that each byte is one character. */
function fieldOf(value: string, style: Partial<QrzStyle> = {}, latin1: string[] = []): string {
  const records = [{ logid: 1, modified: 0, fields: { COMMENT: value }, latin1 }];
  const body = [...formatReply({ entries: [], records }, { ...PLAIN, ...style }, () => 0)];
  return Buffer.concat(body).toString("latin1").slice("ADIF=".length).split("&lt;eor&gt;")[0];
}

describe("a value", () => {
  test.each<[string, Partial<QrzStyle>, string]>([
    ["R&R net, A+B 50%20C", {}, "&lt;comment:19&gt;R&R net, A+B 50%20C\n"],
    ["a<b", {}, "&lt;comment:3&gt;a<b\n"],
    ["a<b", { escape: "angles" }, "&lt;comment:3&gt;a&lt;b\n"],
    ["a<b & c", { escape: "angles" }, "&lt;comment:7&gt;a&lt;b & c\n"],
    ["a<b & c", { escape: "full" }, "&lt;comment:7&gt;a&lt;b &amp; c\n"],
    ["&amp; &lt; &gt; literal", {}, "&lt;comment:23&gt;&amp; &lt; &gt; literal\n"],
    ["<eor>&ADIF=&COUNT=9", {}, "&lt;comment:19&gt;<eor>&ADIF=&COUNT=9\n"],
    ["Tomàs", {}, "&lt;comment:6&gt;Tom\xc3\xa0s\n"],
    ["Tomàs", { lengthUnit: "chars" }, "&lt;comment:5&gt;Tom\xc3\xa0s\n"],
    ["Érd", { encoding: "latin1" }, "&lt;comment:3&gt;\xc9rd\n"],
    ["abc", { lineEnd: "\r\n" }, "&lt;comment:3&gt;abc\r\n"],
  ])("%j in the style %j", (value, style, bytes) => {
    expect(fieldOf(value, style)).toBe(bytes);
  });

  test("can be Latin-1 among others in UTF-8", () => {
    expect(fieldOf("Érd", {}, ["COMMENT"])).toBe("&lt;comment:3&gt;\xc9rd\n");
    expect(fieldOf("Érd", {}, ["NAME"])).toBe("&lt;comment:4&gt;\xc3\x89rd\n");
  });
});

describe("the keys of a reply", () => {
  test("can end with RESULT after the ADIF", async () => {
    await using world = aWorld();
    world.second.style.resultAfterAdif = true;
    fillBook(world.book, 1);

    const reply = await world.page("ALL");

    expect(reply).toStartWith("COUNT=1&ADIF=&lt;");
    expect(reply).toEndWith("&lt;eor&gt;\n\n&RESULT=OK");
  });

  test("come in a random order, which depends on the seed", async () => {
    const replies = async () => {
      await using world = aWorld();
      Object.assign(world.second.style, { shuffleKeys: true, shuffleFields: true });
      world.store.addRecord(world.book, aRecord());
      return [await world.page("ALL"), await world.page("ALL"), await world.page("ALL")];
    };

    const [first, second] = [await replies(), await replies()];

    expect(second).toEqual(first);
    expect(new Set(first).size).toBe(3);
    const fields = (reply: string) => reply.split("ADIF=")[1].split("\n").sort();
    for (const reply of first) expect(fields(reply)).toEqual(fields(first[0]));
  });

  test("can report an empty page in two ways", async () => {
    await using world = aWorld();
    expect(await world.page("ALL")).toBe("COUNT=0&RESULT=FAIL");

    world.second.style.emptyAs = "reason";
    expect(await world.page("ALL")).toBe("RESULT=FAIL&REASON=no log entries found");
  });

  test("can count the page or all matching records", async () => {
    await using world = aWorld();
    fillBook(world.book, 5);
    expect(await world.page("MAX:2")).toStartWith("RESULT=OK&COUNT=2&");

    world.second.style.countIs = "total";
    const reply = await world.page("MAX:2");
    expect(reply).toStartWith("RESULT=OK&COUNT=5&");
    expect(logidsOf(reply)).toHaveLength(2);
  });
});

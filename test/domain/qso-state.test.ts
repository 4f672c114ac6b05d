import { expect, test } from "bun:test";
import { editQso } from "../../src/contacts/edit.ts";
import { describeQsoState, formatQsoState } from "../../src/domain/contact/qso-state.ts";
import { toQsoView } from "../../src/domain/contact/qso-view.ts";
import { aBody, logOf, lotw, qrz, said, sync } from "../support/sync.ts";
import { aUser, testWorld } from "../support/world.ts";

const AT = "2026-07-18 01:43";
const UNCONFIRMED = { QSL_RCVD: "N", QSLRDATE: "", APP_LOTW_RXQSL: "" };
const MASSACHUSETTS = { DXCC: "291", STATE: "MA", CQZ: "5" };

/** What a file, LoTW and QRZ say about one contact, and its state. */
const stateOf = async (
  file: Record<string, string>,
  first: Record<string, string> | null,
  second: Record<string, string> | null,
  call = "K1AAA",
) => {
  const world = await testWorld();
  const { id } = await aUser(world, "bob");
  await sync(world, id, "file", [said(call, AT, file)]);
  if (first) await sync(world, id, "first", [aBody(first.QSL_RCVD === "N" ? "qso" : "qsl", [lotw(call, AT, first)])]);
  if (second) await sync(world, id, "second", [qrz(1, call, AT, second)]);
  const [qso, ...others] = await logOf(world, id);
  expect(others).toEqual([]);
  const state = describeQsoState(toQsoView(qso!));
  return { kind: state.kind, words: formatQsoState(state) };
};

test("a contact that LoTW confirmed says since when and for which awards it counts", async () => {
  expect(await stateOf({}, MASSACHUSETTS, null)).toEqual({
    kind: "confirmed",
    words: "Confirmed by LoTW on 2026-08-01. It counts for DXCC United States, WAS Massachusetts and WAZ zone 5.",
  });
});

test("a confirmation by LoTW counts for what LoTW says, and the difference is named", async () => {
  expect(
    (await stateOf({ ...MASSACHUSETTS, BAND: "6m" }, { ...MASSACHUSETTS, BAND: "6M", STATE: "CT" }, null)).words,
  ).toBe(
    "Confirmed by LoTW on 2026-08-01. It counts for DXCC United States, WAS Connecticut and WAZ zone 5. " +
      "Details differ: state: yours MA, LoTW CT.",
  );
});

test("a card counts too, and a contact on 60 m counts for WAZ only", async () => {
  const card = { ...MASSACHUSETTS, QSL_RCVD: "Y", QSLRDATE: "20260801" };
  expect(await stateOf(card, null, null)).toEqual({
    kind: "confirmed",
    words: "Confirmed by a card on 2026-08-01. It counts for DXCC United States, WAS Massachusetts and WAZ zone 5.",
  });
  expect((await stateOf({ ...card, BAND: "60m" }, null, null)).words).toBe(
    "Confirmed by a card on 2026-08-01. It counts for WAZ zone 5.",
  );
});

test("a station at sea counts for no entity, state or zone", async () => {
  expect((await stateOf({}, MASSACHUSETTS, null, "K1AAA/MM")).words).toBe("Confirmed by LoTW on 2026-08-01.");
});

test("a confirmation by QRZ alone says that it does not count, and what LoTW knows", async () => {
  const confirmed = { APP_QRZLOG_STATUS: "C", APP_QRZLOG_QSLDATE: "20260802" };
  expect(await stateOf({}, null, confirmed)).toEqual({
    kind: "missing",
    words:
      "Confirmed by QRZ on 2026-08-02, which does not count for DXCC, WAS or WAZ. " +
      "LoTW has not reported this contact. Upload it to LoTW, then sync.",
  });
  expect(await stateOf({}, UNCONFIRMED, confirmed)).toEqual({
    kind: "waiting",
    words:
      "Confirmed by QRZ on 2026-08-02, which does not count for DXCC, WAS or WAZ. " +
      "LoTW has your side, but K1AAA has not uploaded it. Ask K1AAA to upload it to LoTW, or ask for a card.",
  });
});

test("a contact that both services have waits for the other station", async () => {
  expect(await stateOf({}, UNCONFIRMED, {})).toEqual({
    kind: "waiting",
    words:
      "Not confirmed. LoTW and QRZ have your side, but K1AAA has not uploaded it. " +
      "Ask K1AAA to upload it to LoTW, or ask for a card.",
  });
});

test("a contact that no service has should be uploaded", async () => {
  expect(await stateOf({}, null, null)).toEqual({
    kind: "missing",
    words: "Not confirmed. Neither LoTW nor QRZ has reported this contact. Upload it to LoTW, then sync.",
  });
});

test("a contact that was moved to another band after the upload should be corrected", async () => {
  const world = await testWorld();
  const { id } = await aUser(world, "bob");
  await sync(world, id, "file", [said("K1AAA", AT)]);
  await sync(world, id, "first", [aBody("qso", [lotw("K1AAA", AT, UNCONFIRMED)])]);
  const [qso] = await logOf(world, id);
  await editQso(world, id, qso!.id, { band: "40m" }, await world.callFacts());
  const state = describeQsoState(toQsoView((await logOf(world, id))[0]!));

  expect(state.kind).toBe("differs");
  expect(formatQsoState(state)).toBe(
    "Not confirmed. LoTW has this contact with other values. Details differ: band: yours 40m, LoTW 20m. " +
      "Edit the wrong value here, or upload the contact to LoTW again.",
  );
});

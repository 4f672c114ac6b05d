import { writeFileSync } from "node:fs";
import { byOwner } from "../../src/logbook/caller.ts";
import { join } from "node:path";
import { createToken } from "../../src/people/tokens.ts";
import { changeSchedule } from "../../src/logbook/schedule.ts";
import { SyncError } from "../../src/domain/jobs/provider.ts";
import { lotw, qrz, said, sync } from "../support/sync.ts";
import { aUser } from "../support/world.ts";
import { aCommandLine, type CommandLine } from "./services.ts";

const MINUTE = 60_000;

/**
 * Bob's log at a fixed time: an import, a sync that left a record unmatched, a failed sync, names in several scripts, a
 * schedule and a token. Ann is the administrator.
 */
export const aGoldenWorld = async (): Promise<CommandLine> => {
  const line = await aCommandLine();
  const { world, bob } = line;
  await aUser(world, "ann", "admin");
  await sync(world, bob.id, "file", [
    said("K1AAA", "2026-07-18 01:43", { DXCC: "291", STATE: "CT" }),
    said("K1AAA", "2026-07-18 01:53", { DXCC: "291", STATE: "CT" }),
    said("DL1ABC", "2026-07-19 10:00", { DXCC: "230", BAND: "40M", NAME: "Jürgen von und zu Guttenberg-Langenfeld" }),
    said("JA1XYZ", "2026-07-20 11:30", { DXCC: "339", MODE: "CW", NAME: "山田太郎" }),
    said("UA3ABC", "2026-07-21 09:15", { DXCC: "54", BAND: "15m", MODE: "SSB", NAME: "Николай", COMMENT: LONG }),
    said("", "2026-07-22 10:00"),
  ]);
  world.clock.advance(10 * MINUTE);
  await sync(world, bob.id, "first", [
    lotw("K1AAA", "2026-07-18 01:48", { DXCC: "291" }),
    lotw("DL1ABC", "2026-07-19 10:00", { DXCC: "230", BAND: "40M" }),
  ]);
  world.clock.advance(10 * MINUTE);
  const failure = new SyncError(
    "network",
    "QRZ cannot be reached: the connection was closed before the answer was whole.",
  );
  await sync(world, bob.id, "second", [qrz(71, "JA1XYZ", "2026-07-20 11:30", { MODE: "CW" })], { failure });
  await changeSchedule(world, byOwner(bob), { first: { enabled: true, intervalHours: 24 } });
  await createToken(world, bob.id, { name: "Logger für Contests", scope: "write" });
  writeFileSync(join(world.dataDir, "more.adi"), MORE);
  return line;
};

/** Fixed times that appear in the output. Any other time is today. */
export const STANDING: readonly string[] = [
  "2026-07-18 01:43",
  "2026-07-18 01:53",
  "2026-07-19 10:00",
  "2026-07-20 11:30",
  "2026-07-21 09:15",
  "2026-07-25 12:00",
  "2026-07-26 12:00",
  "2026-08-01 10:00",
  "2026-08-01 12:00",
  "2026-08-01 12:10",
  "2026-08-01 12:20",
];

const LONG =
  "A comment that is longer than any terminal is wide, with words of several lengths, so that it has to go on in " +
  "another line whatever the terminal is.";

const MORE =
  "<EOH><CALL:6>OE1XYZ<QSO_DATE:8>20260725<TIME_ON:4>1200<BAND:3>10m<MODE:3>FT8<STATION_CALLSIGN:7>YU1TEST<EOR>" +
  "<CALL:6>K1AAA<EOR>";

/** @jsxImportSource @kitajs/html */
import type { Problem } from "../../views/form.tsx";
import { Duplicates } from "../../views/pages/duplicates.tsx";
import { Reconcile } from "../../views/pages/reconcile.tsx";
import { Repair } from "../../views/pages/repair.tsx";
import { NOON, type Say } from "./canned.ts";

interface Gallery {
  count: number;
  hasSome: boolean;
  rows: <Row>(make: (id: number) => Row) => Row[];
  refused: (form: string, ...names: string[]) => Problem | undefined;
}

/** The pages of repairs, duplicates and reconciling. */
export const repairExhibits = (say: Say, { count, hasSome, rows, refused }: Gallery) => {
  return {
    duplicates: () => (
      <Duplicates
        groups={rows((id) => ({
          kind: "seconds" as const,
          why: ["seconds" as const, "modeName" as const],
          contacts: [
            {
              id,
              call: say("K9XYZ"),
              startedAt: NOON,
              band: say("20m"),
              mode: "SSB",
              submode: null,
              stationCallsign: say("YU1BOB"),
              firstConfirmed: true,
              secondConfirmed: false,
              cardConfirmed: false,
            },
          ],
        }))}
        kinds={{ twice: 0, seconds: count, overlap: 0, hours: 0, ownCall: 1, modeName: 0, band: 0 }}
        total={count}
        kind={hasSome ? "seconds" : undefined}
        here=""
        next={null}
        asked={null}
        problem={refused("merge")}
      />
    ),
    reconcile: () => (
      <Reconcile
        counts={{
          everywhere: count,
          notAtFirst: 2,
          notAtSecond: 3,
          differs: 1,
          fileOnly: 1,
          otherCall: 1,
          deleted: 1,
          leftovers: 1,
        }}
        shown={hasSome ? "differs" : undefined}
        contacts={rows((id) => ({
          ...aComparedContact(say, id),
          differences: [
            {
              field: "state" as const,
              here: say("MA"),
              first: say("CT"),
              second: null,
              counts: { awards: ["was" as const], by: "first" as const, value: say("CT") },
            },
          ],
          fileOnly: ["second" as const],
          otherCall: { first: say("K9XYZ/P"), second: null },
        }))}
        deleted={rows(() => ({
          call: say("K8GONE"),
          startedAt: NOON,
          band: say("20m"),
          at: ["first" as const],
        }))}
        leftovers={rows((id) => ({
          id,
          source: "first" as const,
          kind: "unmatched" as const,
          reason: say("matches 2 QSOs equally well"),
          record: { CALL: say("K9TWICE"), BAND: say("20m") },
          candidates: [aComparedContact(say, 5)],
        }))}
        here=""
        next={null}
        problem={refused("settle")}
      />
    ),
    repair: () => (
      <Repair
        wrong={hasSome ? "field" : null}
        total={count}
        filterQuery=""
        filterWords={say("with call K9*")}
        values={{ field: "name", value: say("Ann"), shiftMinutes: "60" }}
        preview={
          hasSome
            ? {
                chosen: 14,
                changed: 12,
                deleted: 1,
                unchanged: 0,
                refused: [{ reason: say("the time would be in the future"), contacts: 1 }],
                examples: rows((qsoId) => ({
                  qsoId,
                  call: say("K9XYZ"),
                  startedAt: NOON,
                  kind: "updated" as const,
                  diff: [{ field: "name", before: null, after: say("Ann") }],
                })),
                awards: [
                  {
                    label: "DXCC",
                    worked: { gained: [say("Spain")], lost: [say("France")] },
                    confirmed: { gained: [], lost: [say("France")] },
                  },
                ],
              }
            : null
        }
        problem={refused("repair", "value", "shiftMinutes")}
      />
    ),
  };
};

const aComparedContact = (say: Say, id: number) => ({
  id,
  call: say("K9XYZ"),
  startedAt: NOON,
  band: say("20m"),
  mode: "SSB",
  submode: null,
  stationCallsign: say("YU1BOB"),
});

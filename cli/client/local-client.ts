import type { User } from "../../src/domain/user.ts";
import type { World } from "../../src/world.ts";
import { localAwards } from "./local-awards.ts";
import { localJobs } from "./local-jobs.ts";
import { localRuns } from "./local-runs.ts";
import { localServices } from "./local-services.ts";
import type { LogClient } from "../../src/logbook/contract.ts";

type QsoQuestions = Pick<LogClient, "qsos" | "qso" | "addQso" | "editQso" | "deleteQso" | "exportAdif" | "stats">;

/** The log of a user in a database that this process has open. */
export const localClient = (world: World, user: Pick<User, "id">): LogClient => {
  const awards = localAwards(world, user);
  const runs = localRuns(world, user);
  return {
    runsJobsHere: true,
    async account() {
      const users = await import("../../src/storage/users.ts");
      const { username, callsign } = await world.db.read(() => users.get(user.id));
      return { username, callsign };
    },
    ...localQsos(world, user),
    ...localJobs(world, user),
    ...runs,
    ...localServices(world, user),
    ...awards,
  };
};

/** What a question needs is loaded when it is asked: most commands ask one. */
const localQsos = (world: World, { id: userId }: Pick<User, "id">): QsoQuestions => {
  const edited = async () => {
    const [edit, { qsoView }] = await Promise.all([
      import("../../src/contacts/edit.ts"),
      import("../../src/domain/qso-view.ts"),
    ]);
    return { ...edit, qsoView };
  };
  return {
    async qsos(parameters) {
      const [{ parseListing }, { qsoView }, qsoList] = await Promise.all([
        import("../../src/domain/qso-filter.ts"),
        import("../../src/domain/qso-view.ts"),
        import("../../src/storage/qso-list.ts"),
      ]);
      const listing = parseListing(parameters);
      return world.db.read(function* () {
        const { qsos: found, nextCursor } = yield* qsoList.list(userId, listing);
        return { qsos: found.map(qsoView), total: yield* qsoList.count(userId, listing.filter), nextCursor };
      });
    },

    async qso(id) {
      const [{ qsoView }, qsos] = await Promise.all([
        import("../../src/domain/qso-view.ts"),
        import("../../src/storage/qsos.ts"),
      ]);
      return qsoView(await world.db.read(() => qsos.get(userId, id)));
    },

    async addQso(typed) {
      const { addQso, qsoView } = await edited();
      return qsoView(await addQso(world, userId, typed, await world.callFacts()));
    },

    async editQso(id, patch) {
      const { editQso, qsoView } = await edited();
      return qsoView(await editQso(world, userId, id, patch, await world.callFacts()));
    },

    async deleteQso(id) {
      const { deleteQso } = await import("../../src/contacts/edit.ts");
      await deleteQso(world, userId, id);
    },

    async *exportAdif(parameters) {
      const { parseFilter } = await import("../../src/domain/qso-filter.ts");
      const filter = parseFilter(parameters);
      const { exportAdif } = await import("../../src/contacts/export.ts");
      yield* exportAdif(world, userId, filter);
    },

    async stats(station) {
      const { statisticsOf } = await import("../../src/storage/statistics.ts");
      const { normaliseCall } = await import("../../src/callsign/normalise.ts");
      return statisticsOf(world.db, userId, { station: station === undefined ? undefined : normaliseCall(station) });
    },
  };
};

import type { User } from "../../src/domain/user.ts";
import type { World } from "../../src/world.ts";
import type { LogClient } from "../../src/logbook/contract.ts";

type ServiceQuestions = Pick<
  LogClient,
  "services" | "setCredentials" | "testCredentials" | "clearCredentials" | "schedule" | "changeSchedule"
>;

/** The accounts of a user at the services, and when they are synced, in a database that this process has open. */
export const localServices = (world: World, { id: userId }: Pick<User, "id">): ServiceQuestions => {
  const credentials = () => import("../../src/sync/source/credentials.ts");
  const settings = () => import("../../src/logbook/schedule.ts");
  return {
    async services() {
      const { listServices } = await credentials();
      return { services: await listServices(world, userId) };
    },
    async setCredentials(source, given) {
      const { setCredentials } = await credentials();
      return setCredentials(world, userId, source, given);
    },
    async testCredentials(source) {
      const { testCredentials } = await credentials();
      return testCredentials(world, userId, source);
    },
    async clearCredentials(source) {
      const { clearCredentials } = await credentials();
      await clearCredentials(world, userId, source);
    },
    async schedule() {
      const { settingsOf } = await settings();
      return settingsOf(world, userId);
    },
    async changeSchedule(change) {
      const { changeSettings } = await settings();
      return changeSettings(world, userId, change);
    },
  };
};

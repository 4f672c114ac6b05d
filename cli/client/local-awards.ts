import type { AwardBook } from "../../src/awards/book.ts";
import type { User } from "../../src/domain/user.ts";
import type { World } from "../../src/world.ts";
import type { LogClient } from "../../src/logbook/contract.ts";

type AwardQuestions = Pick<LogClient, "awards" | "award" | "matrix" | "needed" | "news">;

/** The awards of a user in a database that this process has open. */
export const localAwards = (world: World, { id: userId }: Pick<User, "id">): AwardQuestions => {
  let opened: AwardBook | null = null;
  const book = async (): Promise<AwardBook> => {
    const { AwardBook } = await import("../../src/awards/book.ts");
    return (opened ??= new AwardBook(world));
  };
  return {
    awards: async (asked) => ({ awards: await (await book()).overview(userId, asked) }),
    award: async (id, asked) => (await book()).detail(userId, id, asked),
    matrix: async (id, asked) => (await book()).matrix(userId, id, asked),
    async needed(id, asked) {
      const { neededView } = await import("../../src/domain/award.ts");
      return neededView(await (await book()).needed(userId, id, asked));
    },
    async news(since) {
      const { news, NEWS_OF } = await import("../../src/awards/news.ts");
      const { parseDay } = await import("../../src/domain/day.ts");
      const from = since === undefined ? world.clock() - NEWS_OF : parseDay(since, "since");
      return world.db.read(() => news(userId, from));
    },
  };
};

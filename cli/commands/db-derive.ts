import type { CallFacts } from "../../src/domain/radio/call-facts.ts";
import { formatCount, formatNumber } from "../../src/kernel/number-text.ts";
import type { World } from "../../src/world.ts";
import { runSteps } from "../interruptible.ts";
import type { Flags, Shell } from "../shell.ts";

/** For all users unless --user is given; QSOLOG_USER is ignored, because this is about the database. */
export const derive = (shell: Shell, flags: Flags): Promise<void> =>
  shell.withWorld(flags, { writes: true }, async (world) => {
    const { getUserByName } = await import("../../src/people/get-user.ts");
    const userId = flags.user === undefined ? undefined : (await getUserByName(world, flags.user)).id;
    const { isWhole, qsos, words } = await deriveWithProgress(shell, world, await world.callFacts(), userId);
    shell.answer({ qsos }, () =>
      isWhole ? words : `Interrupted: ${words} Finished QSOs are kept. Run the command again for the rest.`,
    );
  });

/** Recomputes QSOs, of all users unless one is given, and returns how many in words too. */
export const deriveWithProgress = async (
  shell: Shell,
  world: World,
  facts: CallFacts,
  userId?: number,
): Promise<{ isWhole: boolean; qsos: { checked: number; changed: number }; words: string }> => {
  const { countContacts, deriveAgain } = await import("../../src/contacts/derive-again.ts");
  const total = await countContacts(world, userId);
  const describe = (checked: number, changed: number) =>
    `${formatNumber(checked)} of ${formatCount(total, "QSO")} checked, ${formatNumber(changed)} changed`;
  const { isWhole, ...qsos } = await runSteps(
    shell,
    { checked: 0, changed: 0 },
    ({ checked, changed }) => shell.progress.show(describe(checked, changed), checked / Math.max(total, 1)),
    (steps) => deriveAgain(world, facts, { userId, ...steps }),
  );
  const { checked, changed } = qsos;
  const words = isWhole
    ? `${formatCount(checked, "QSO")} checked, ${formatNumber(changed)} changed.`
    : `${describe(checked, changed)}.`;
  return { isWhole, qsos, words };
};

import { formatCount, formatNumber } from "../../src/kernel/number-text.ts";
import { runSteps } from "../interruptible.ts";
import { ProgressBar } from "../progress.ts";
import type { Flags, Shell } from "../shell.ts";

/** For all users unless --user is given; QSOLOG_USER is ignored, because this is about the database. */
export const derive = (shell: Shell, flags: Flags): Promise<void> =>
  shell.withWorld(flags, { writes: true }, async (world) => {
    const [{ countContacts, deriveAgain }, { getUserByName }] = await Promise.all([
      import("../../src/contacts/derive-again.ts"),
      import("../../src/people/get-user.ts"),
    ]);
    const { user: name } = flags;
    const userId = name === undefined ? undefined : (await getUserByName(world, name)).id;
    const total = await countContacts(world, userId);
    const bar = new ProgressBar(shell.terminal);
    const facts = await world.callFacts();
    const { isWhole, ...derived } = await runSteps(shell, { checked: 0, changed: 0 }, (signal, tell) =>
      deriveAgain(world, facts, {
        userId,
        signal,
        onProgress: (soFar) => {
          tell(soFar);
          const { checked, changed } = soFar;
          bar.show(
            `${formatNumber(checked)} of ${formatCount(total, "QSO")} checked, ${formatNumber(changed)} changed`,
            checked / Math.max(total, 1),
          );
        },
      }).finally(() => bar.clear()),
    );
    const { checked, changed } = derived;
    shell.answer({ qsos: derived }, () =>
      isWhole
        ? `${formatCount(checked, "QSO")} checked, ${formatNumber(changed)} changed.`
        : `Interrupted: ${formatNumber(checked)} of ${formatCount(total, "QSO")} checked, ${formatNumber(changed)} changed. ` +
          "Finished QSOs are kept. Run the command again for the rest.",
    );
  });

/**
 * Whether a test file runs in its long form: `QSOLOG_TEST_FULL=1` selects all files,
 * `QSOLOG_TEST_FULL=server/fuzz,cli/golden` these.
 */
export const isFull = ({ path }: ImportMeta): boolean =>
  (process.env.QSOLOG_TEST_FULL ?? "")
    .split(",")
    .some((name) => name === "1" || (name !== "" && path.endsWith(`/${name}.test.ts`)));

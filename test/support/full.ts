/**
 * Whether a test file is asked for its long form: `QSOLOG_TEST_FULL=1` asks all of them, and
 * `QSOLOG_TEST_FULL=server/fuzz,cli/golden` those that it names.
 */
export const isFull = ({ path }: ImportMeta): boolean =>
  (process.env.QSOLOG_TEST_FULL ?? "")
    .split(",")
    .some((name) => name === "1" || (name !== "" && path.endsWith(`/${name}.test.ts`)));

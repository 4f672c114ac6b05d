// Records the answers again and shows the differences: bun test/recorded/record.ts
const tests = Bun.spawn([process.execPath, "test", "--timeout=600000", "./test/recorded/"], {
  cwd: `${import.meta.dir}/../..`,
  env: { ...process.env, QSOLOG_RECORD_ANSWERS: "1", QSOLOG_TEST_FULL: "1" },
  stdio: ["ignore", "inherit", "inherit"],
});
process.exit(await tests.exited);

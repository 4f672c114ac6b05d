import { copyFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, setDefaultTimeout, test } from "bun:test";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { emptyProgram } from "../recorded/program.ts";
import { PASSWORD } from "../support/app.ts";
import { aDirectory } from "../support/directory.ts";
import { ROOT } from "../support/qsolog.ts";
import { ENGINE } from "../support/world.ts";
import { callOf, HOUR, uploaded } from "../sync/services.ts";

setDefaultTimeout(120_000);

interface Example {
  syncOrRollBack(url: string, username: string, password: string): Promise<Record<string, unknown>>;
}

const EXAMPLE = join(ROOT, "docs/examples/client.ts");

/** What the compiler says about a file in strict mode. */
const compile = (file: string): string[] => {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
    types: [],
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
};

test.skipIf(ENGINE !== "sqlite")(
  "a client generated from the OpenAPI document signs in, syncs and rolls back",
  async () => {
    const { app, services } = await emptyProgram();
    const url = await app.server.listen();
    const folder = aDirectory();
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    copyFileSync(EXAMPLE, join(folder, "client.ts"));
    // Throws if the document is not valid.
    writeFileSync(join(folder, "qsolog.d.ts"), astToString(await openapiTS(new URL(`${url}/openapi/json`))));

    expect(compile(join(folder, "client.ts"))).toEqual([]);

    const { syncOrRollBack } = (await import(join(folder, "client.ts"))) as Example;
    const upload = (from: number, to: number) => {
      for (let n = from; n < to; n++) uploaded(services, callOf(n), { at: Date.UTC(2026, 0) + n * HOUR });
    };
    upload(0, 40);
    expect(await syncOrRollBack(url, "bob", PASSWORD)).toEqual({ status: "completed", added: 40, deleted: 0 });
    upload(40, 70);
    services.first.fail({
      kind: "truncate",
      at: 500,
      times: Infinity,
      when: ({ params }) => params.get("qso_qsl") === "yes",
    });
    expect(await syncOrRollBack(url, "bob", PASSWORD)).toEqual({ status: "failed", added: 30, deleted: 30 });
  },
);

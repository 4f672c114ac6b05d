import { closeSync, openSync } from "node:fs";

/** Preloaded: as soon as the server listens, opens every descriptor, signs in, and prints the status. */
const serve = Bun.serve;
const { TEST_SIGN_IN } = process.env;

const signInWithoutDescriptors = async (answer: (request: Request) => Response | Promise<Response>) => {
  const held: number[] = [];
  try {
    for (;;) held.push(openSync("/dev/null", "r"));
  } catch {
    // None is left.
  }
  const headers = { "content-type": "application/json" };
  const request = new Request("http://127.0.0.1/api/auth/login", { method: "POST", headers, body: TEST_SIGN_IN! });
  const response = await answer(request);
  for (const descriptor of held) closeSync(descriptor);
  console.error(`sign-in answered ${response.status}`);
};

Bun.serve = ((options: { fetch(request: Request): Response | Promise<Response> }) => {
  const server = serve(options);
  void signInWithoutDescriptors(options.fetch);
  return server;
}) as unknown as typeof Bun.serve;

/** The connection of a request. In a test there may be none. */
export class Connection {
  readonly #server: Bun.Server<undefined> | null;
  readonly #request: Request;
  readonly #idleSeconds: number;
  #isHeld = false;

  constructor(server: Bun.Server<undefined> | null, request: Request, idleSeconds: number) {
    this.#server = server;
    this.#request = request;
    this.#idleSeconds = idleSeconds;
  }

  get address(): string {
    return this.#server?.requestIP(this.#request)?.address ?? "127.0.0.1";
  }

  /** The request is complete: the client can wait minutes for the answer. */
  hold(): void {
    this.#isHeld = true;
    this.#server?.timeout(this.#request, 0);
  }

  /** A client that does not read the answer is disconnected. */
  release(): void {
    if (this.#isHeld) this.#server?.timeout(this.#request, this.#idleSeconds);
  }
}

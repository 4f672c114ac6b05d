/** The connection that a request came by; in a test there may be none. */
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

  /** Whoever asks has said everything: an answer that takes minutes is theirs to wait for. */
  hold(): void {
    this.#isHeld = true;
    this.#server?.timeout(this.#request, 0);
  }

  /** Whoever does not read the answer is not waited for. */
  release(): void {
    if (this.#isHeld) this.#server?.timeout(this.#request, this.#idleSeconds);
  }
}

/** The first byte of a body must come within this time, and each further one. The runtime looks every four seconds. */
const FIRST_BYTE_SECONDS = 5;
const NEXT_BYTE_SECONDS = 30;

const connections = new WeakMap<Request, Connection>();

/** Called with each piece of a body: the runtime would end a long upload even while it arrives. */
export const extendBody = (request: Request): void => connections.get(request)?.extend();

/** Called after the last one. */
export const endBody = (request: Request): void => connections.get(request)?.hold();

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
    if (request.body === null) return;
    connections.set(request, this);
    server?.timeout(request, Math.min(idleSeconds, FIRST_BYTE_SECONDS));
  }

  extend(): void {
    if (!this.#isHeld) this.#server?.timeout(this.#request, Math.min(this.#idleSeconds, NEXT_BYTE_SECONDS));
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

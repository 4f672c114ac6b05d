interface Running<Job> {
  userId: number;
  controller: AbortController;
  ended: Promise<Job>;
}

/** The jobs that this process runs or has in line: whoever takes a job or its user away stops them here. */
export class RunningJobs<Job = unknown> {
  /** The jobs that this process is taking back. */
  readonly rollingBack = new Set<number>();
  readonly #jobs = new Map<number, Running<Job>>();
  /** Hears of each job that begins here. */
  onBegun: (ended: Promise<unknown>) => void = () => {};

  /** Kept until the job has ended. */
  add(jobId: number, { userId, controller, ended }: Running<Job>): void {
    const settled = ended.finally(() => this.#jobs.delete(jobId));
    this.#jobs.set(jobId, { userId, controller, ended: settled });
    settled.catch(() => {});
    this.onBegun(settled);
  }

  get size(): number {
    return this.#jobs.size;
  }

  get ids(): number[] {
    return [...this.#jobs.keys()];
  }

  /** Resolves to the job at its end, or to null where it does not run here. */
  async end(jobId: number): Promise<Job | null> {
    return (await this.#jobs.get(jobId)?.ended) ?? null;
  }

  /** Asks a job to stop as soon as it can. False where it does not run here. */
  interrupt(jobId: number): boolean {
    const job = this.#jobs.get(jobId);
    job?.controller.abort();
    return job !== undefined;
  }

  interruptAll(): void {
    for (const { controller } of this.#jobs.values()) controller.abort();
  }

  /** Ends the jobs of a user, and resolves when they have ended. */
  async stopAllOf(userId: number): Promise<void> {
    const own = [...this.#jobs.values()].filter((job) => job.userId === userId);
    for (const { controller } of own) controller.abort();
    await Promise.allSettled(own.map(({ ended }) => ended));
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#jobs.size > 0) await Promise.allSettled([...this.#jobs.values()].map(({ ended }) => ended));
  }
}

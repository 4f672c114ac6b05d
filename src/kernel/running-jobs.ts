interface Running<Job> {
  userId: number;
  controller: AbortController;
  ended: Promise<Job>;
}

/** The active jobs of this process. They are stopped here when the job is rolled back or its user is deleted. */
export class RunningJobs<Job = unknown> {
  /** The jobs that this process is rolling back. */
  readonly rollingBack = new Set<number>();
  readonly #jobs = new Map<number, Running<Job>>();
  /** Called for each job that starts here. */
  onBegun: (ended: Promise<unknown>) => void = () => {};

  /** The job stays in the list until it has ended. */
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

  /** Resolves to the job when it ends, or to null if it does not run here. */
  async end(jobId: number): Promise<Job | null> {
    return (await this.#jobs.get(jobId)?.ended) ?? null;
  }

  /** Asks a job to stop. Returns false if it does not run here. */
  interrupt(jobId: number): boolean {
    const job = this.#jobs.get(jobId);
    job?.controller.abort();
    return job !== undefined;
  }

  interruptAll(): void {
    for (const { controller } of this.#jobs.values()) controller.abort();
  }

  /** Stops the jobs of a user and resolves when they have ended. */
  async stopAllOf(userId: number): Promise<void> {
    const own = [...this.#jobs.values()].filter((job) => job.userId === userId);
    for (const { controller } of own) controller.abort();
    await Promise.allSettled(own.map(({ ended }) => ended));
  }

  /** Resolves when no job is active. */
  async idle(): Promise<void> {
    while (this.#jobs.size > 0) await Promise.allSettled([...this.#jobs.values()].map(({ ended }) => ended));
  }
}

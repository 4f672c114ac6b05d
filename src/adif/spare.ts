/** Keeps one thing of somebody who is done with it: a download has hundreds of readers, one after the other. */
export class Spare<T> {
  private readonly make: () => T;
  private kept: T | null = null;

  constructor(make: () => T) {
    this.make = make;
  }

  take(): T {
    const taken = this.kept ?? this.make();
    this.kept = null;
    return taken;
  }

  giveBack(thing: T): void {
    this.kept = thing;
  }
}

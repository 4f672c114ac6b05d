/** Writes lines as relative steps in whole units, which takes a third of the size. */
export class Pen {
  drawn = "";
  #x = 0;
  #y = 0;
  #letter = "";
  #left = Infinity;
  #right = -Infinity;
  #top = Infinity;
  #bottom = -Infinity;

  /** The longer side of what is drawn. */
  get extent(): number {
    return Math.max(this.#right - this.#left, this.#bottom - this.#top);
  }

  moveTo(x: number, y: number): void {
    [this.#x, this.#y, this.#letter] = [Math.round(x), Math.round(y), "M"];
    this.drawn += `M${this.#x} ${this.#y}`;
    this.#reach();
  }

  lineTo(x: number, y: number): void {
    const [dx, dy] = [Math.round(x) - this.#x, Math.round(y) - this.#y];
    if (dx === 0 && dy === 0) return;
    const separated = `${dx}${dy < 0 ? "" : " "}${dy}`;
    this.drawn += this.#letter === "l" ? `${dx < 0 ? "" : " "}${separated}` : `l${separated}`;
    this.#letter = "l";
    this.#x += dx;
    this.#y += dy;
    this.#reach();
  }

  #reach(): void {
    this.#left = Math.min(this.#left, this.#x);
    this.#right = Math.max(this.#right, this.#x);
    this.#top = Math.min(this.#top, this.#y);
    this.#bottom = Math.max(this.#bottom, this.#y);
  }

  closePath(): void {
    this.drawn += "z";
    this.#letter = "z";
  }

  beginPath(): void {}
  arc(): void {}
}

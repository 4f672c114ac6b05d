import { READING, type OnProgress } from "../../kernel/progress.ts";

/** How far a page is that reads a large log. It is text that is added to, so that it is seen without a script. */
export class PageProgress {
  readonly #begun = Promise.withResolvers<void>();
  #news = Promise.withResolvers<void>();
  #unsent = "";
  #tenths = 0;
  title: string | null = null;

  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** The page of this title begins with the first that is told. */
  hearFor(title: string): OnProgress {
    return (share) => {
      this.title ??= title;
      this.#begun.resolve();
      const tenths = Math.floor(share * 10);
      if (tenths <= this.#tenths) return;
      this.#tenths = tenths;
      this.say(`${tenths}0 % `);
    };
  }

  say(text: string): void {
    this.#unsent += text;
    this.#news.resolve();
  }

  /** A line that grows until the content is there, and the content. */
  async *until(content: Promise<string>): AsyncGenerator<string, void, void> {
    yield `<p class="progress" role="status">${READING} … `;
    let isThere = false;
    const end = () => {
      isThere = true;
      this.say("");
    };
    content.then(end, end);
    while (!isThere) {
      await this.#news.promise;
      this.#news = Promise.withResolvers<void>();
      const text = this.#unsent;
      this.#unsent = "";
      if (text !== "") yield text;
    }
    yield `</p>${await content}`;
  }
}

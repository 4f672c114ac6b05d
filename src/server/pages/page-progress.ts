import { READING, type OnProgress } from "../../kernel/progress.ts";

/** The progress of a page that reads a large log. Text is appended, so that it works without a script. */
export class PageProgress {
  readonly #begun = Promise.withResolvers<void>();
  #news = Promise.withResolvers<void>();
  #unsent = "";
  #tenths = 0;
  title: string | null = null;

  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** The page with this title begins with the first report. */
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

  /** Yields a growing line until the content is ready, then the content. */
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

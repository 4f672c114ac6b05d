import { renderKeyLine, type Context, type Question } from "../context.ts";
import { getLetter, type Press } from "../keymap.ts";

interface Confirmation extends Pick<Question, "title" | "lines"> {
  /** What y does. */
  yes: string;
  no?: string;
}

const isYes = (press: Press): boolean => getLetter(press)?.toLowerCase() === "y";

/** Asks before something is done. Every key but y cancels. */
export const confirm = (
  context: Pick<Context, "ask">,
  { title, lines, yes, no = "cancel" }: Confirmation,
  onYes: () => void,
): void => {
  context.ask({
    title,
    lines: [...lines, [], renderKeyLine(["y", yes], ["N", no])],
    press(press) {
      context.ask(null);
      if (isYes(press)) onYes();
    },
  });
};

/** Shows a dialog until an answer arrives. After a key, which closes the dialog, the answer is ignored. */
export const showLoading = <T>(
  context: Context,
  [title, words]: readonly [title: string, words: string],
  answer: Promise<T>,
  show: (answer: T) => void,
): void => {
  let isClosed = false;
  const close = () => {
    isClosed = true;
    context.ask(null);
  };
  context.ask({ title, lines: [[words]], press: close });
  answer.then(
    (found) => {
      if (isClosed) return;
      close();
      show(found);
    },
    (error: Error) => {
      if (!isClosed) close();
      context.fail(error);
    },
  );
};

/** @jsxImportSource react */
import { Box, Text, type TextProps } from "ink";
import { createContext, useContext } from "react";
import type { Line, Tone } from "./text-input.ts";

/** Which of the sixteen colours a tone has, on which ground; a terminal of any theme has these. */
export type Theme = "dark" | "light";

type Style = Pick<TextProps, "color" | "bold" | "dimColor" | "inverse">;

const ON_DARK: Record<Tone, Style> = {
  confirmed: { color: "green" },
  worked: { color: "yellow" },
  quiet: { dimColor: true },
  title: { bold: true },
  chosen: { inverse: true },
  failed: { color: "red" },
  live: { color: "cyan" },
};

/** Yellow and cyan are not to be read on white, and what is dim is hardly there. */
const STYLES: Record<Theme, Record<Tone, Style>> = {
  dark: ON_DARK,
  light: { ...ON_DARK, worked: { color: "magenta" }, live: { color: "blue" }, quiet: { color: "blackBright" } },
};

/** Themes are known to the program that was started, and to every line it draws. */
export const Ground = createContext<Theme>("dark");

interface Props {
  lines: readonly Line[];
  hasColour: boolean;
}

/** Lines as they stand. Without colour, bold, dim and reverse remain. */
export const Lines = ({ lines, hasColour }: Props) => {
  const safeRows = lines.map((line, index) => <Row key={index} line={line} hasColour={hasColour} />);
  return <Box flexDirection="column">{safeRows}</Box>;
};

const Row = ({ line, hasColour }: { line: Line; hasColour: boolean }) => {
  const safeSpans = line.map((span, place) => <Piece key={place} span={span} hasColour={hasColour} />);
  return <Text wrap="truncate">{line.length === 0 ? " " : safeSpans}</Text>;
};

const Piece = ({ span, hasColour }: { span: Line[number]; hasColour: boolean }) => {
  const theme = useContext(Ground);
  if (typeof span === "string") {
    const safeText = span;
    return <Text>{safeText}</Text>;
  }
  const [safeText, tone] = span;
  const { color, ...style } = STYLES[theme][tone];
  return (
    <Text {...style} {...(hasColour && color ? { color } : {})}>
      {safeText}
    </Text>
  );
};

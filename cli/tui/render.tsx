/** @jsxImportSource react */
import { Box, Text, type TextProps } from "ink";
import { createContext, memo, useContext } from "react";
import type { Line, Tone } from "./line.ts";

/** The colours of each tone on a dark or light background, from the sixteen that every theme has. */
export type Theme = "dark" | "light";

type Style = Pick<TextProps, "color" | "bold" | "dimColor" | "inverse">;

const ON_DARK: Record<Tone, Style> = {
  confirmed: { color: "green" },
  worked: { color: "yellow" },
  quiet: { dimColor: true },
  title: { bold: true },
  chosen: { inverse: true },
  caret: {},
  failed: { color: "red" },
  live: { color: "cyan" },
};

/** Yellow and cyan are unreadable on white, and dim text is nearly invisible. */
const STYLES: Record<Theme, Record<Tone, Style>> = {
  dark: ON_DARK,
  light: { ...ON_DARK, worked: { color: "magenta" }, live: { color: "blue" }, quiet: { color: "blackBright" } },
};

/** The theme for all lines. */
export const Ground = createContext<Theme>("dark");

interface Props {
  lines: readonly Line[];
  hasColour: boolean;
}

/** Draws lines. Without colour, bold, dim and inverse remain. */
export const Lines = ({ lines, hasColour }: Props) => {
  const safeRows = lines.map((line, index) => <Row key={index} line={line} hasColour={hasColour} />);
  return <Box flexDirection="column">{safeRows}</Box>;
};

/** Most keys change few rows; the others are not rendered again. */
const Row = memo(({ line, hasColour }: { line: Line; hasColour: boolean }) => {
  const safeSpans = line.map((span, place) => <Piece key={place} span={span} hasColour={hasColour} />);
  return <Text wrap="truncate">{line.length === 0 ? " " : safeSpans}</Text>;
}, Bun.deepEquals);

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

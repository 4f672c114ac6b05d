/** @jsxImportSource react */
import { Box, Text, type TextProps } from "ink";
import { createContext, memo, useContext } from "react";
import type { Line, Tone } from "./line.ts";

/** For a dark or a light background, with the sixteen colours that every terminal has, or without colours. */
export type Theme = "dark" | "light" | "colourless";

type Styles = Record<Tone, Pick<TextProps, "color" | "bold" | "dimColor" | "inverse">>;

const COLOURLESS: Styles = {
  confirmed: {},
  worked: {},
  quiet: { dimColor: true },
  title: { bold: true },
  chosen: { inverse: true },
  caret: {},
  failed: {},
  live: {},
};

const DARK: Styles = {
  ...COLOURLESS,
  confirmed: { color: "green" },
  worked: { color: "yellow" },
  failed: { color: "red" },
  live: { color: "cyan" },
};

/** Yellow and cyan are unreadable on white, and dim text is nearly invisible. */
const STYLES: Record<Theme, Styles> = {
  colourless: COLOURLESS,
  dark: DARK,
  light: { ...DARK, worked: { color: "magenta" }, live: { color: "blue" }, quiet: { color: "blackBright" } },
};

/** The theme for all lines. */
export const Ground = createContext<Theme>("colourless");

export const Lines = ({ lines }: { lines: readonly Line[] }) => {
  const safeRows = lines.map((line, index) => <Row key={index} line={line} />);
  return <Box flexDirection="column">{safeRows}</Box>;
};

/** Most keys change few rows; the others are not rendered again. */
const Row = memo(({ line }: { line: Line }) => {
  const safeSpans = line.map((span, place) => <Piece key={place} span={span} />);
  return <Text wrap="truncate">{line.length === 0 ? " " : safeSpans}</Text>;
}, Bun.deepEquals);

const Piece = ({ span }: { span: Line[number] }) => {
  const theme = useContext(Ground);
  if (typeof span === "string") {
    const safeText = span;
    return <Text>{safeText}</Text>;
  }
  const [safeText, tone] = span;
  return <Text {...STYLES[theme][tone]}>{safeText}</Text>;
};

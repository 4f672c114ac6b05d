/** @jsxImportSource react */
import { Box, Text, type TextProps } from "ink";
import type { Line, Tone } from "./line.ts";

const STYLES: Record<Tone, Pick<TextProps, "color" | "bold" | "dimColor" | "inverse">> = {
  confirmed: { color: "green" },
  worked: { color: "yellow" },
  quiet: { dimColor: true },
  title: { bold: true },
  chosen: { inverse: true },
  failed: { color: "red" },
  live: { color: "cyan" },
};

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
  if (typeof span === "string") {
    const safeText = span;
    return <Text>{safeText}</Text>;
  }
  const [safeText, tone] = span;
  const { color, ...style } = STYLES[tone];
  return (
    <Text {...style} {...(hasColour && color ? { color } : {})}>
      {safeText}
    </Text>
  );
};

/** How LoTW maps the mode of an upload and reports it in ADIF, according to TrustedQSL's configuration 11.34. */

export interface ReportedMode {
  MODE?: string;
  SUBMODE?: string;
  APP_LOTW_MODE?: string;
}

/** The LoTW mode of an uploaded contact: `DATA` if LoTW has no mode of its own for it. */
export function toLotwMode(mode: string, submode = ""): string {
  const known = mode.toUpperCase() === "DIGITALVOICE" ? [mode] : [submode, mode];
  for (const word of known.map((text) => text.toUpperCase())) {
    if (UNKNOWN_TO_LOTW.has(word)) return "DATA";
    if (RENAMED[word] !== undefined) return RENAMED[word];
    if (LOTW_MODES.has(word)) return word;
  }
  return "DATA";
}

/**
 * How a report writes a LoTW mode: as ADIF mode and submode, or in a field of its own if ADIF has no single equivalent.
 */
export function toReportedMode(lotwMode: string): ReportedMode {
  if (AMBIGUOUS.has(lotwMode)) return { APP_LOTW_MODE: lotwMode };
  const parent = PARENT[lotwMode];
  return parent === undefined ? { MODE: ADIF_NAME[lotwMode] ?? lotwMode } : { MODE: parent, SUBMODE: lotwMode };
}

export function getModeGroup(lotwMode: string): "CW" | "PHONE" | "IMAGE" | "DATA" {
  if (lotwMode === "CW") return "CW";
  if (PHONE.has(lotwMode)) return "PHONE";
  return IMAGE.has(lotwMode) ? "IMAGE" : "DATA";
}

export function isLotwMode(word: string): boolean {
  return LOTW_MODES.has(word);
}

const words = (text: string) => new Set(text.split(" "));

const PHONE = words("AM C4FM DIGITALVOICE DSTAR FM PHONE SSB");
const IMAGE = words("ATV FAX IMAGE SSTV");
const LOTW_MODES = new Set([
  "CW",
  ...PHONE,
  ...IMAGE,
  ...words(
    "AMTOR ARDOP CHIP CLOVER CONTESTI DATA DOMINO FSK31 FSK441 FST4 FT4 FT8 GTOR HELL HFSK ISCAT JT4 JT65 JT6M JT9",
  ),
  ...words(
    "MFSK16 MFSK8 MINIRTTY MSK144 MT63 OLIVIA OPERA PACKET PACTOR PAX PSK10 PSK125 PSK2K PSK31 PSK63 PSK63F PSKAM",
  ),
  ...words("PSKFEC31 Q15 Q65 QRA64 ROS RTTY RTTYM T10 THOR THROB VOI WINMOR WSPR"),
]);

const UNKNOWN_TO_LOTW = words(
  "FSQCALL JS8 MFSK MFSK4 MFSK11 MFSK22 MFSK31 MFSK32 MFSK64 MFSK128 PSK PSK250 PSK500 PSK1000 QPSK250 QPSK500 SIM31 V4",
);

const RENAMED: Record<string, string> = {
  BPSK31: "PSK31",
  BPSK63: "PSK63",
  BPSK125: "PSK125",
  QPSK31: "PSK31",
  QPSK63: "PSK63",
  QPSK125: "PSK125",
  PSKAM10: "PSKAM",
  PSKAM31: "PSKAM",
  PSKAM50: "PSKAM",
  USB: "SSB",
  LSB: "SSB",
  CLO: "CLOVER",
  PAC: "PACTOR",
  PKT: "PACKET",
  THRB: "THROB",
  TOR: "AMTOR",
  RTTYM: "RTTY",
};

const ADIF_NAME: Record<string, string> = { AMTOR: "TOR", CLOVER: "CLO", PACKET: "PKT", PACTOR: "PAC", THROB: "THRB" };

const PARENT: Record<string, string> = {
  FT4: "MFSK",
  FST4: "MFSK",
  Q65: "MFSK",
  MFSK8: "MFSK",
  MFSK16: "MFSK",
  FSK31: "PSK",
  PSK10: "PSK",
  PSK31: "PSK",
  PSK63: "PSK",
  PSK63F: "PSK",
  PSK125: "PSK",
  PSKFEC31: "PSK",
  HFSK: "HELL",
  GTOR: "TOR",
};

const AMBIGUOUS = words("PSKAM MINIRTTY");

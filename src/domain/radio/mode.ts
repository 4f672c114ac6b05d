/** In display order. */
export const MODE_GROUPS = ["cw", "phone", "digital", "image"] as const;
export type ModeGroup = (typeof MODE_GROUPS)[number];

export interface Mode {
  /** Null if only the group is known. */
  mode: string | null;
  submode: string | null;
  group: ModeGroup;
  /** True if the source said only DATA, PHONE or IMAGE: any mode of the group can be meant. */
  generic: boolean;
}

/**
 * The modes of ADIF 3.1.6 (III.B.7 Mode Enumeration) with their submodes. Both columns of the standard are combined
 * here.
 */
const SUBMODES: Record<string, string> = {
  AM: "",
  ARDOP: "",
  ATV: "",
  CHIP: "CHIP64,CHIP128",
  CLO: "",
  CONTESTI: "",
  CW: "PCW",
  DIGITALVOICE: "C4FM,DMR,DSTAR,FREEDV,M17",
  DOMINO: "DOM-M,DOM4,DOM5,DOM8,DOM11,DOM16,DOM22,DOM44,DOM88,DOMINOEX,DOMINOF",
  DYNAMIC: "VARA HF,VARA SATELLITE,VARA FM 1200,VARA FM 9600",
  FAX: "",
  FM: "",
  FSK: "SCAMP_FAST,SCAMP_SLOW,SCAMP_VSLOW",
  FSK441: "",
  FT8: "",
  HELL: "FMHELL,FSKH105,FSKH245,FSKHELL,HELL80,HELLX5,HELLX9,HFSK,PSKHELL,SLOWHELL",
  ISCAT: "ISCAT-A,ISCAT-B",
  JT4: "JT4A,JT4B,JT4C,JT4D,JT4E,JT4F,JT4G",
  JT44: "",
  JT65: "JT65A,JT65B,JT65B2,JT65C,JT65C2",
  JT6M: "",
  JT9: "JT9-1,JT9-2,JT9-5,JT9-10,JT9-30,JT9A,JT9B,JT9C,JT9D,JT9E,JT9E FAST,JT9F,JT9F FAST,JT9G,JT9G FAST,JT9H,JT9H FAST",
  MFSK:
    "FSQCALL,FST4,FST4W,FT4,JS8,JTMS,MFSK4,MFSK8,MFSK11,MFSK16,MFSK22,MFSK31,MFSK32,MFSK64,MFSK64L,MFSK128,MFSK128L,Q65," +
    "FT2", // not in 3.1.6, but in use
  MSK144: "",
  MT63: "",
  MTONE: "SCAMP_OO,SCAMP_OO_SLW",
  OFDM: "RIBBIT_PIX,RIBBIT_SMS", // 3.1.7
  OLIVIA: "OLIVIA 4/125,OLIVIA 4/250,OLIVIA 8/250,OLIVIA 8/500,OLIVIA 16/500,OLIVIA 16/1000,OLIVIA 32/1000",
  OPERA: "OPERA-BEACON,OPERA-QSO",
  PAC: "PAC2,PAC3,PAC4",
  PAX: "PAX2",
  PKT: "",
  PSK:
    "8PSK125,8PSK125F,8PSK125FL,8PSK250,8PSK250F,8PSK250FL,8PSK500,8PSK500F,8PSK1000,8PSK1000F,8PSK1200F,FSK31," +
    "PSK10,PSK31,PSK63,PSK63F,PSK63RC4,PSK63RC5,PSK63RC10,PSK63RC20,PSK63RC32," +
    "PSK125,PSK125C12,PSK125R,PSK125RC4,PSK125RC5,PSK125RC10,PSK125RC12,PSK125RC16," +
    "PSK250,PSK250C6,PSK250R,PSK250RC2,PSK250RC3,PSK250RC5,PSK250RC6,PSK250RC7," +
    "PSK500,PSK500C2,PSK500C4,PSK500R,PSK500RC2,PSK500RC3,PSK500RC4,PSK800C2,PSK800RC2," +
    "PSK1000,PSK1000C2,PSK1000R,PSK1000RC2,PSKAM10,PSKAM31,PSKAM50,PSKFEC31,QPSK31,QPSK63,QPSK125,QPSK250,QPSK500,SIM31",
  PSK2K: "",
  Q15: "",
  QRA64: "QRA64A,QRA64B,QRA64C,QRA64D,QRA64E",
  ROS: "ROS-EME,ROS-HF,ROS-MF",
  RTTY: "ASCI",
  RTTYM: "",
  SSB: "LSB,USB",
  SSTV: "",
  T10: "",
  THOR: "THOR-M,THOR4,THOR5,THOR8,THOR11,THOR16,THOR22,THOR25X4,THOR50X1,THOR50X2,THOR100",
  THRB: "THRBX,THRBX1,THRBX2,THRBX4,THROB1,THROB2,THROB4",
  TOR: "AMTORFEC,GTOR,NAVTEX,SITORB",
  V4: "",
  VOI: "",
  WINMOR: "",
  WSPR: "",
};

/** Names outside the standard: those of the first service, and those that logging programs write. */
const OTHER_NAMES: Record<string, string> = {
  PACKET: "PKT",
  PACTOR: "PAC",
  CLOVER: "CLO",
  THROB: "THRB",
  AMTOR: "TOR",
  PSKAM: "PSK",
  BPSK31: "PSK31",
  BPSK63: "PSK63",
  BPSK125: "PSK125",
  JS8CALL: "JS8",
  "FT-8": "FT8",
  "FT-4": "FT4",
  VARA: "DYNAMIC",
  VARAHF: "VARA HF",
  "VARA-HF": "VARA HF",
  "D-STAR": "DSTAR",
  FUSION: "C4FM",
  DV: "DIGITALVOICE",
  "CW-R": "CW",
  CWR: "CW",
  NFM: "FM",
};

const GENERIC: Record<string, ModeGroup> = {
  DATA: "digital",
  DIGITAL: "digital",
  DIGI: "digital",
  PHONE: "phone",
  VOICE: "phone",
  IMAGE: "image",
};

/** Words for phone on HF. */
const SPOKEN = ["PHONE", "PH", "VOICE"];

/** Parses a typed mode: phone is SSB. */
export const parseTypedMode = (text: string): string => (SPOKEN.includes(text.trim().toUpperCase()) ? "SSB" : text);

/** The modes that a user can mean when naming only a group. */
export const MODES_OF: Record<ModeGroup, string> = {
  cw: "CW",
  phone: "SSB or FM",
  digital: "FT8, RTTY or PSK31",
  image: "SSTV or FAX",
};

/** Mode groups as in the first service's configuration. Modes not listed here are digital (also VOI). */
const GROUPS: Record<string, ModeGroup> = {
  CW: "cw",
  AM: "phone",
  DIGITALVOICE: "phone",
  FM: "phone",
  SSB: "phone",
  ATV: "image",
  FAX: "image",
  SSTV: "image",
};

/** The first service's names of the groups. */
export const GROUP_NAMES: Record<ModeGroup, string> = { cw: "CW", phone: "PHONE", digital: "DATA", image: "IMAGE" };

/** The mode that an export writes if only the group is known. */
export const STAND_INS: Record<ModeGroup, string> = { cw: "CW", phone: "SSB", digital: "MFSK", image: "SSTV" };

const MODES: ReadonlySet<string> = new Set(Object.keys(SUBMODES));

const MODE_OF_SUBMODE: ReadonlyMap<string, string> = new Map(
  Object.entries(SUBMODES).flatMap(([mode, list]) =>
    list === "" ? [] : list.split(",").map((submode) => [submode, mode] as const),
  ),
);

/** Every mode and submode that is a single word. */
export const MODE_NAMES: readonly string[] = [...MODES, ...MODE_OF_SUBMODE.keys()].filter(
  (name) => !name.includes(" "),
);

/**
 * Normalises a mode: a submode or an old name in MODE becomes the standard pair, an unknown word stays as it is. Null
 * if nothing is given.
 */
export function normaliseMode(mode: string | undefined, submode?: string): Mode | null {
  const said = cleanWord(mode);
  const detail = cleanWord(submode);
  if (said === "") return detail === "" ? null : findMode(detail);

  const genericGroup = GENERIC[said];
  if (genericGroup !== undefined) return narrowGroup(genericGroup, detail);

  const known = findMode(said);
  if (detail === "" || detail === said || detail === known.mode) return known;
  if (known.mode === "MFSK" && MODES.has(detail)) return findMode(detail); // MFSK+FT8, as some programs write it
  const parent = MODE_OF_SUBMODE.get(detail);
  if (parent !== undefined && parent !== known.mode) return known; // CW with submode FT4: the mode is more reliable
  return { ...known, submode: detail };
}

/** Whether `said` is a more exact form of `known`. */
export const isNarrower = (said: Mode, known: Mode): boolean => {
  if (said.group !== known.group || said.generic) return false;
  return known.generic || (said.mode === known.mode && known.submode === null && said.submode !== null);
};

/** The common name of a mode: USB, FT4, PSK31, CW; DATA, PHONE or IMAGE if only the group is known. */
export function getModeName(mode: Pick<Mode, "mode" | "submode" | "group">): string {
  return mode.submode ?? mode.mode ?? GROUP_NAMES[mode.group];
}

/** MODE and SUBMODE as ADIF exports them, never an import-only name. Empty if only the group is known. */
export function exportMode(
  mode: string | null | undefined,
  submode?: string | null,
): { MODE?: string; SUBMODE?: string } {
  const known = normaliseMode(mode ?? undefined, submode ?? undefined);
  if (known === null || known.mode === null) return {};
  return known.submode === null ? { MODE: known.mode } : { MODE: known.mode, SUBMODE: known.submode };
}

function narrowGroup(group: ModeGroup, detail: string): Mode {
  if (detail === "" || GENERIC[detail] !== undefined) return { mode: null, submode: null, group, generic: true };
  const known = findMode(detail);
  if (known.group === group) return known;
  return isKnown(known) ? { mode: null, submode: null, group, generic: true } : { ...known, group };
}

function findMode(name: string): Mode {
  const genericGroup = GENERIC[name];
  if (genericGroup !== undefined) return { mode: null, submode: null, group: genericGroup, generic: true };
  const mode = MODE_OF_SUBMODE.get(name) ?? name;
  return { mode, submode: mode === name ? null : name, group: GROUPS[mode] ?? "digital", generic: false };
}

/** Whether it is a standard mode or a generic word. Logs and services may use others. */
export function isKnownMode(mode: Mode): boolean {
  return mode.generic || (isKnown(mode) && (mode.submode === null || MODE_OF_SUBMODE.get(mode.submode) === mode.mode));
}

function isKnown(mode: Mode): boolean {
  return mode.mode !== null && MODES.has(mode.mode);
}

function cleanWord(text: string | undefined): string {
  const upper = (text ?? "").trim().replaceAll(/\s+/g, " ").toUpperCase();
  return OTHER_NAMES[upper] ?? upper;
}

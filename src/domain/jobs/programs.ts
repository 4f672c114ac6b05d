/** A program that can write into a log over the Wavelog interface, and its settings. */
export interface ProgramSetup {
  name: string;
  /** The version of the interface, which decides the kind of key. */
  form: "v1" | "v2";
  /** Where the program has these settings. */
  where: string;
  /** The setting for the address and its value. BASE stands for the server's address. */
  address: readonly [field: string, value: string];
  key: string;
  station: string;
}

export const PROGRAMS: readonly ProgramSetup[] = [
  {
    name: "WaveLogGate",
    form: "v1",
    where: "Configuration, Wavelog",
    address: ["URL", "BASE/index.php"],
    key: "API Key",
    station: "Station: choose from the list",
  },
  {
    name: "GridTracker 2",
    form: "v1",
    where: "Settings, Logging, Cloudlog/Wavelog",
    address: ["URL", "BASE"],
    key: "API Key",
    station: "Station Profile: choose from the list after Test",
  },
  {
    name: "PoLo",
    form: "v1",
    where: "Settings, Wavelog",
    address: ["Wavelog API URL", "BASE"],
    key: "API Key",
    station: "Select Station",
  },
  {
    name: "QLog",
    form: "v1",
    where: "Settings, Sync & QSL, Cloudlog/Wavelog",
    address: ["API endpoint", "BASE"],
    key: "API key",
    station: "Station: choose when uploading",
  },
  {
    name: "CQOps before 0.11",
    form: "v1",
    where: "Logbook, Wavelog",
    address: ["URL", "BASE"],
    key: "API key",
    station: "Station: choose from the list",
  },
  {
    name: "CQOps 0.11 and later",
    form: "v2",
    where: "Logbook, Wavelog",
    address: ["URL", "BASE"],
    key: "API key",
    station: "Station: choose from the list",
  },
  {
    name: "other programs that support Wavelog or Cloudlog",
    form: "v1",
    where: "its Wavelog or Cloudlog settings",
    address: ["URL", "BASE, or BASE/index.php"],
    key: "API key",
    station: "choose the station from the list, or enter 1",
  },
];

export const FORM_WORDS: Record<ProgramSetup["form"], string> = {
  v1: "a key that begins with qf",
  v2: "a key that begins with wl2_",
};

/** The value of the address setting. */
export const buildAddress = ({ address: [, value] }: ProgramSetup, base: string): string =>
  value.replaceAll("BASE", base.replace(/(?<!\/)\/+$/, ""));

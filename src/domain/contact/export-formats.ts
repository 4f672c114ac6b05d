/** The export formats and their labels. */
export const EXPORT_FORMATS = {
  adi: "ADIF",
  adx: "ADX",
  csv: "CSV",
  jsonl: "JSON lines",
  cabrillo: "Cabrillo",
} as const;

export type ExportFormat = keyof typeof EXPORT_FORMATS;

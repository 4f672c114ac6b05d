import { join } from "node:path";

export interface SampleCall {
  call: string;
  at: number;
  dxcc: number | null;
  pfx: string | null;
}

const ROOT = join(import.meta.dir, "../..");
const SAMPLES = process.env.QSOLOG_SAMPLES ?? join(ROOT, "samples");
const INVENTED = join(ROOT, "test/fixtures/callsign/calls.tsv");

/** Synthetic contacts in the forms that real logs have. */
export async function inventedContacts(): Promise<SampleCall[]> {
  return fromTable(await Bun.file(INVENTED).text());
}

/** The contacts of a real log, or null if the samples are not available. */
export async function realContacts(name: string): Promise<SampleCall[] | null> {
  const file = Bun.file(join(SAMPLES, name));
  return (await file.exists()) ? fromAdif(await file.text()) : null;
}

function fromAdif(text: string): SampleCall[] {
  const records = text.slice(text.search(/<eoh>/i)).split(/<eor>/i);
  return records.flatMap((record) => {
    const value = (name: string) => new RegExp(`<${name}:\\d+>([^<\\s]*)`, "i").exec(record)?.[1] ?? null;
    const call = value("call");
    const date = value("qso_date")?.replace(/^(....)(..)(..)$/, "$1-$2-$3");
    return call && date ? [sample(call, date, value("dxcc"), value("pfx"))] : [];
  });
}

function fromTable(text: string): SampleCall[] {
  const [, ...lines] = text.trim().split("\n");
  return lines.map((line) => {
    const [call, date, dxcc, pfx] = line.split("\t");
    return sample(call!, date!, dxcc!, pfx!);
  });
}

function sample(call: string, date: string, dxcc: string | null, pfx: string | null): SampleCall {
  return { call, at: Date.parse(date), dxcc: dxcc ? Number(dxcc) : null, pfx };
}

import { ADX_END, writeAdxHeader, writeAdxRecord } from "../../adif/adx-writer.ts";
import { writeHeader, writeRecord } from "../../adif/writer.ts";
import { completeRecord } from "../../domain/contact/exported-records.ts";
import type { ExportContext, Format } from "./format.ts";

const buildHeader = ({ programVersion, createdAt, userDefs }: ExportContext) => ({
  programVersion,
  createdAt,
  userDefs: [...userDefs],
});

export const adi: Format = {
  type: "text/x-adif; charset=utf-8",
  extension: "adi",
  head: (context) => writeHeader(buildHeader(context)),
  row: (qso) => writeRecord(completeRecord(qso)),
  tail: () => "",
};

/** ADIF as XML. */
export const adx: Format = {
  type: "application/xml; charset=utf-8",
  extension: "adx",
  head: (context) => writeAdxHeader(buildHeader(context)),
  row: (qso, { userDefs }) => writeAdxRecord(completeRecord(qso), new Set(userDefs.map(({ name }) => name))),
  tail: () => ADX_END,
};

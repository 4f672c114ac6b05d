import { DAY } from "../kernel/clock.ts";

/**
 * What a part after the slash means to stations of one country, where it is not a country's prefix. `own`: their own
 * country. `unclear`: a state of theirs and the prefix of another country, so only their own country counts. A number
 * is the entity. Sources: the notes in the ARRL's DXCC list, and the countries' rules for portable stations.
 */
export interface SuffixRule {
  home: RegExp;
  suffix: RegExp;
  meaning: number | "own" | "unclear" | "unknown";
  /** The end of the last day on which it meant this. */
  until?: number;
}

const endOf = (day: string): number => Date.parse(day) + DAY;

const US_STATES =
  /^(A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])$/;
const BRAZILIAN_STATES = /^(A[CLP]|BA|CE|DF|ES|GO|M[AGST]|P[ABEIR]|R[JNORS]|S[CEP]|TO)$/;
const ONE_LETTER = /^[A-Z]$/;

export const SUFFIX_RULES: readonly SuffixRule[] = [
  // Islands that stations of their administration named by a letter
  { home: /^FR/, suffix: /^G$/, meaning: 99 },
  { home: /^FR/, suffix: /^[BEJ]$/, meaning: 124 },
  { home: /^FR/, suffix: /^T$/, meaning: 276 },
  { home: /^3D2/, suffix: /^R$/, meaning: 460 },
  { home: /^3D2/, suffix: /^C$/, meaning: 489 },
  { home: /^VQ9/, suffix: /^A$/, meaning: 8, until: endOf("1976-06-28") },
  { home: /^VQ9/, suffix: /^C$/, meaning: 33, until: endOf("1976-06-28") },
  { home: /^VQ9/, suffix: /^D$/, meaning: 44, until: endOf("1976-06-28") },
  { home: /^VQ9/, suffix: /^F$/, meaning: 55, until: endOf("1976-06-28") },
  { home: /^ZL/, suffix: /^A$/, meaning: 16, until: endOf("1989-12-31") },
  { home: /^ZL/, suffix: /^C$/, meaning: 34, until: endOf("1989-12-31") },
  { home: /^ZL/, suffix: /^K$/, meaning: 133, until: endOf("1989-12-31") },
  // Later it is a lighthouse as well.
  { home: /^VK2/, suffix: /^LH$/, meaning: 147, until: endOf("1994-12-31") },
  { home: /^VK2/, suffix: /^LH$/, meaning: "unknown" },
  // The South Shetlands are another entity than the rest of Antarctica.
  { home: /^/, suffix: /^ANT$/, meaning: "unknown" },
  // Argentina's bases: Antarctica, the South Orkneys and the South Shetlands
  { home: /^(L[O-W]|A[YZ]|L\d)/, suffix: /^Z$/, meaning: "unknown" },
  // Mount Athos, or any other place than the usual one
  { home: /^(S[V-Z]|J4)/, suffix: /^A$/, meaning: "unknown" },
  // Provinces and departments
  { home: /^(L[O-W]|A[YZ]|L\d)/, suffix: ONE_LETTER, meaning: "own" },
  { home: /^(C[VWX]|FR|3D2|VQ9|Z[LM])/, suffix: ONE_LETTER, meaning: "own" },
  { home: /^([KNW]|A[A-L])/, suffix: US_STATES, meaning: "unclear" },
  { home: /^(V[A-GOXY]|C[F-KYZ]|X[J-O])/, suffix: /^(AB|BC|MB|N[BFLSTU]|ON|PE|PQ|QC|SK|YT)$/, meaning: "unclear" },
  { home: /^(AX|V[H-NZ])/, suffix: /^(NT|SA|WA)$/, meaning: "unclear" },
  { home: /^(P[P-Y]|Z[V-Z])/, suffix: BRAZILIAN_STATES, meaning: "unclear" },
];

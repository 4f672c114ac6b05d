export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3}){1,5}$)/g, ",");

export const counted = (count: number, one: string, many?: string): string =>
  `${grouped(count)} ${pluralOf(count, one, many)}`;

export const pluralOf = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many);

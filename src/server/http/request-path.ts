/** Of an address that a server has understood: to parse it anew is dear, and so is to ask for it where nobody looks. */
export const pathOf = ({ url }: Request): string => {
  const path = url.slice(url.indexOf("/", url.indexOf("//") + 2));
  const end = path.search(/[?#]/);
  return end < 0 ? path : path.slice(0, end);
};

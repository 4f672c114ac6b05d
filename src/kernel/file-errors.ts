const REASONS: Record<string, string> = {
  ENOENT: "it does not exist",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of the path is a file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  EEXIST: "a file with this name exists",
  ENOSPC: "the disk is full",
  ENAMETOOLONG: "the name is too long",
};

/** Why a file or directory could not be used, as the end of a sentence. */
export const describeFileError = (error: unknown): string => {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
};

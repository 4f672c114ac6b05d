const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a host, as an address names it, is this machine: what is sent there nobody else can read. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

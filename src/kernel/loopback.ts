const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether the host of a URL is this machine, so that nobody else can read what is sent there. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

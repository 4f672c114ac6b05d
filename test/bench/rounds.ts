import type { Server } from "./program.ts";

/** Changes a contact, so that cached answers become invalid. */
const change = async (server: Server): Promise<void> => {
  const { qsos } = await server.json<{ qsos: { id: number }[] }>("/api/qsos?limit=1");
  await server.json(`/api/qsos/${qsos[0]!.id}`, "PATCH", { comment: `changed ${performance.now()}` });
};

/** The minimum processor time of an answer after a change, in milliseconds. */
export const afterChanges = async (server: Server, rounds: number, ask: () => Promise<unknown>): Promise<number> => {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await change(server);
    taken.push(await server.processorMs(ask));
  }
  return Math.min(...taken);
};

/** The processor time of an answer that is requested repeatedly. */
export const repeated = async (server: Server, times: number, ask: () => Promise<unknown>): Promise<number> => {
  await ask();
  const taken = await server.processorMs(async () => {
    for (let n = 0; n < times; n++) await ask();
  });
  return taken / times;
};

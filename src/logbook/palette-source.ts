import { listWorked } from "../storage/log/call-history.ts";
import type { LogCaller } from "./caller.ts";
import type { PaletteSource } from "./command-palette.ts";
import { listContacts } from "./contacts.ts";

/** Where the palette of the pages looks for callsigns. */
export const createPaletteSource = (deps: Parameters<typeof listContacts>[0], caller: LogCaller): PaletteSource => ({
  contacts: (parameters) => listContacts(deps, caller, parameters),
  async countCalls(calls) {
    const worked = await deps.db.read(() => listWorked(caller.owner.id, calls));
    return calls.map((call) => {
      const ofCall = worked.filter((one) => one.call === call);
      return {
        call,
        contacts: ofCall.reduce((sum, { contacts }) => sum + contacts, 0),
        lastAt: Math.max(...ofCall.map(({ lastAt }) => lastAt)),
      };
    });
  },
});

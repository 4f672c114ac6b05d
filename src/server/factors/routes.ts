import {
  addPasskey,
  beginApp,
  beginPasskey,
  confirmApp,
  getFactors,
  makeRecoveryCodes,
  removeApp,
  removePasskey,
} from "../../people/factors.ts";
import { route } from "../http/route.ts";
import { Type } from "typebox";
import { Code, Count, Id, IdParam, Ms, only, orNull, PasskeyAnswerShape, Text } from "../http/shapes.ts";

const own = { sessionOnly: true, notWhileImpersonating: true } as const;
/** Second factors are changed only after a confirmation with a second factor, if there is one. */
const changing = { ...own, confirmed: "with factor" } as const;

const PasskeyShape = only({ id: Id, name: Text, createdAt: Ms, lastUsedAt: orNull(Ms) });
const FactorsShape = only({
  app: orNull(only({ createdAt: Ms, lastUsedAt: orNull(Ms) })),
  passkeys: Type.Array(PasskeyShape),
  recoveryCodes: Count,
  isRequired: Type.Boolean(),
});
const RecoveryCodes = { recoveryCodes: Type.Array(Text) };

export const factorRoutes = [
  route("GET /api/me/factors", {
    name: "getFactors",
    summary: "Get your second factors",
    description: "`recoveryCodes` counts the codes that are left.",
    ...own,
    answer: FactorsShape,
    handle: ({ app, caller }) => getFactors(app, caller.user),
  }),
  route("POST /api/me/factors/app", {
    name: "beginAuthenticatorApp",
    summary: "Start setting up an authenticator app",
    description:
      "`address` is what the QR code of a page contains. An app that is set up keeps working until you finish.",
    ...changing,
    answer: only({ key: Text, address: Text }),
    status: 201,
    handle: ({ app, caller }) => beginApp(app, caller.user),
  }),
  route("PUT /api/me/factors/app", {
    name: "finishAuthenticatorApp",
    summary: "Finish setting up an authenticator app",
    description: "Send a code of the new app. Gives recovery codes if you have none left.",
    ...changing,
    body: only({ code: Code }),
    answer: only(RecoveryCodes),
    handle: async (call) => ({
      recoveryCodes: await confirmApp(call.app, call.caller, call.body.code, call.client),
    }),
  }),
  route("DELETE /api/me/factors/app", {
    name: "removeAuthenticatorApp",
    summary: "Remove the authenticator app",
    description: "The recovery codes go with the last factor.",
    ...changing,
    handle: (call) => removeApp(call.app, call.caller.user, call.client),
  }),
  route("POST /api/me/factors/recovery-codes", {
    name: "regenerateRecoveryCodes",
    summary: "Regenerate recovery codes",
    description: "Shown only once. The existing codes stop working.",
    ...changing,
    answer: only(RecoveryCodes),
    status: 201,
    handle: async (call) => ({ recoveryCodes: await makeRecoveryCodes(call.app, call.caller.user, call.client) }),
  }),
  route("POST /api/me/factors/passkeys/options", {
    name: "getPasskeyOptions",
    summary: "Get passkey registration options",
    description: "Answers what `navigator.credentials.create` takes as JSON.",
    ...changing,
    answer: only({ passkey: Type.Record(Text, Type.Unknown()) }),
    handle: async (call) => ({ passkey: await beginPasskey(call.app, call.caller, call.client) }),
  }),
  route("POST /api/me/factors/passkeys", {
    name: "addPasskey",
    summary: "Register a passkey",
    description: "Gives recovery codes if you have none left.",
    ...changing,
    body: only({ name: Type.String({ minLength: 1, maxLength: 100 }), passkey: PasskeyAnswerShape }),
    answer: only({ passkey: PasskeyShape, ...RecoveryCodes }),
    status: 201,
    handle: (call) => addPasskey(call.app, call.caller, call.body, call.client),
  }),
  route("DELETE /api/me/factors/passkeys/:id", {
    name: "removePasskey",
    summary: "Remove a passkey",
    description: "The recovery codes go with the last factor.",
    ...changing,
    params: IdParam,
    handle: (call) => removePasskey(call.app, call.caller.user, call.params.id, call.client),
  }),
];

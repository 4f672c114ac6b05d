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
import { clientOf } from "../http/client-address.ts";
import { route } from "../http/route.ts";
import { Type } from "typebox";
import { Code, Count, Id, IdParam, Ms, only, orNull, PasskeyAnswerShape, Text } from "../http/shapes.ts";

const own = { access: "user", sessionOnly: true, notWhileImpersonating: true } as const;
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
  route(
    {
      name: "getFactors",
      method: "GET",
      path: "/api/me/factors",
      summary: "Get your second factors",
      description: "`recoveryCodes` counts the codes that are left.",
      ...own,
      answer: FactorsShape,
    },
    ({ app, caller }) => getFactors(app, caller.user),
  ),
  route(
    {
      name: "beginAuthenticatorApp",
      method: "POST",
      path: "/api/me/factors/app",
      summary: "Start setting up an authenticator app",
      description:
        "`address` is what the QR code of a page contains. An app that is set up keeps working until you finish.",
      ...changing,
      answer: only({ key: Text, address: Text }),
      status: 201,
    },
    ({ app, caller }) => beginApp(app, caller.user),
  ),
  route(
    {
      name: "finishAuthenticatorApp",
      method: "PUT",
      path: "/api/me/factors/app",
      summary: "Finish setting up an authenticator app",
      description: "Send a code of the new app. Gives recovery codes if you have none left.",
      ...changing,
      body: only({ code: Code }),
      answer: only(RecoveryCodes),
    },
    async (call) => ({ recoveryCodes: await confirmApp(call.app, call.caller, call.body.code, clientOf(call)) }),
  ),
  route(
    {
      name: "removeAuthenticatorApp",
      method: "DELETE",
      path: "/api/me/factors/app",
      summary: "Remove the authenticator app",
      description: "The recovery codes go with the last factor.",
      ...changing,
    },
    (call) => removeApp(call.app, call.caller.user, clientOf(call)),
  ),
  route(
    {
      name: "regenerateRecoveryCodes",
      method: "POST",
      path: "/api/me/factors/recovery-codes",
      summary: "Regenerate recovery codes",
      description: "Shown only once. The existing codes stop working.",
      ...changing,
      answer: only(RecoveryCodes),
      status: 201,
    },
    async (call) => ({ recoveryCodes: await makeRecoveryCodes(call.app, call.caller.user, clientOf(call)) }),
  ),
  route(
    {
      name: "getPasskeyOptions",
      method: "POST",
      path: "/api/me/factors/passkeys/options",
      summary: "Get passkey registration options",
      description: "Answers what `navigator.credentials.create` takes as JSON.",
      ...changing,
      answer: only({ passkey: Type.Record(Text, Type.Unknown()) }),
    },
    async (call) => ({ passkey: await beginPasskey(call.app, call.caller, clientOf(call)) }),
  ),
  route(
    {
      name: "addPasskey",
      method: "POST",
      path: "/api/me/factors/passkeys",
      summary: "Register a passkey",
      description: "Gives recovery codes if you have none left.",
      ...changing,
      body: only({ name: Type.String({ minLength: 1, maxLength: 100 }), passkey: PasskeyAnswerShape }),
      answer: only({ passkey: PasskeyShape, ...RecoveryCodes }),
      status: 201,
    },
    (call) => addPasskey(call.app, call.caller, call.body, clientOf(call)),
  ),
  route(
    {
      name: "removePasskey",
      method: "DELETE",
      path: "/api/me/factors/passkeys/:id",
      summary: "Remove a passkey",
      description: "The recovery codes go with the last factor.",
      ...changing,
      params: IdParam,
    },
    (call) => removePasskey(call.app, call.caller.user, call.params.id, clientOf(call)),
  ),
];

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
/** What opens the account beside the password is changed by who has just shown to have it. */
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
    { method: "GET", path: "/api/me/factors", summary: "The own second factors", ...own, answer: FactorsShape },
    ({ app, caller }) => getFactors(app, caller.user),
  ),
  route(
    {
      method: "POST",
      path: "/api/me/factors/app",
      summary: "Begin to set up an authenticator app",
      ...changing,
      answer: only({ key: Text, address: Text }),
      status: 201,
    },
    ({ app, caller }) => beginApp(app, caller.user),
  ),
  route(
    {
      method: "PUT",
      path: "/api/me/factors/app",
      summary: "Finish that with a code of the app; gives recovery codes where there are none",
      ...changing,
      body: only({ code: Code }),
      answer: only(RecoveryCodes),
    },
    async (call) => ({ recoveryCodes: await confirmApp(call.app, call.caller, call.body.code, clientOf(call)) }),
  ),
  route(
    { method: "DELETE", path: "/api/me/factors/app", summary: "Remove the authenticator app", ...changing },
    (call) => removeApp(call.app, call.caller.user, clientOf(call)),
  ),
  route(
    {
      method: "POST",
      path: "/api/me/factors/recovery-codes",
      summary: "New recovery codes, given this once; the old ones are good no longer",
      ...changing,
      answer: only(RecoveryCodes),
      status: 201,
    },
    async (call) => ({ recoveryCodes: await makeRecoveryCodes(call.app, call.caller.user, clientOf(call)) }),
  ),
  route(
    {
      method: "POST",
      path: "/api/me/factors/passkeys/options",
      summary: "What a browser is asked, to make a passkey",
      ...changing,
      answer: only({ passkey: Type.Record(Text, Type.Unknown()) }),
    },
    async (call) => ({ passkey: await beginPasskey(call.app, call.caller, clientOf(call)) }),
  ),
  route(
    {
      method: "POST",
      path: "/api/me/factors/passkeys",
      summary: "Keep the passkey that a browser made; gives recovery codes where there are none",
      ...changing,
      body: only({ name: Type.String({ minLength: 1, maxLength: 100 }), passkey: PasskeyAnswerShape }),
      answer: only({ passkey: PasskeyShape, ...RecoveryCodes }),
      status: 201,
    },
    (call) => addPasskey(call.app, call.caller, call.body, clientOf(call)),
  ),
  route(
    {
      method: "DELETE",
      path: "/api/me/factors/passkeys/:id",
      summary: "Remove a passkey",
      ...changing,
      params: IdParam,
    },
    (call) => removePasskey(call.app, call.caller.user, call.params.id, clientOf(call)),
  ),
];

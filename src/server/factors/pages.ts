import {
  addPasskey,
  beginApp,
  beginPasskey,
  confirmApp,
  makeRecoveryCodes,
  findPendingApp,
  removeApp,
  removePasskey,
} from "../../people/factors.ts";
import type { Outcome } from "../../../views/form.tsx";
import { formRoute, type PageCall } from "../pages/page-route.ts";
import { securityPage } from "../settings/pages.tsx";
import { Type } from "typebox";
import { Code, IdParam, only, Short } from "../http/shapes.ts";
import { passkeyInForm } from "../sign-in/proof.ts";

const own = {
  notWhileImpersonating: true,
  confirmed: "with factor",
  back: "/settings/security",
  page: securityPage,
} as const;

export const factorPages = [
  formRoute("/settings/factors/app", {
    ...own,
    form: "factor-app",
    submit: async (call) => securityPage(call, {}, { appKey: await beginApp(call.app, call.caller.user) }),
  }),
  formRoute("/settings/factors/app/confirm", {
    ...own,
    form: "app-code",
    fields: only({ code: Code }),
    submit: async (call, { code }) =>
      securityPage(call, {}, { recoveryCodes: await confirmApp(call.app, call.caller, code, call.client) }),
    // After a wrong code the same key is shown again.
    page: async (call, outcome) =>
      securityPage(call, outcome, { appKey: await findPendingApp(call.app, call.caller.user) }),
  }),
  formRoute("/settings/factors/app/remove", {
    ...own,
    form: "factor-app-remove",
    done: "factor-removed",
    submit: ({ app, caller, client }) => removeApp(app, caller.user, client),
  }),
  formRoute("/settings/factors/recovery-codes", {
    ...own,
    form: "recovery",
    submit: async (call) =>
      securityPage(call, {}, { recoveryCodes: await makeRecoveryCodes(call.app, call.caller.user, call.client) }),
  }),
  formRoute("/settings/factors/passkeys/begin", {
    ...own,
    form: "passkey",
    submit: (call) => withQuestion(call, {}),
  }),
  formRoute("/settings/factors/passkeys", {
    ...own,
    form: "passkey-new",
    fields: only({ name: Short, passkey: Type.Optional(Type.String()) }),
    async submit(call, { name, passkey = "" }) {
      const given = { name, passkey: passkeyInForm(passkey) };
      const { recoveryCodes } = await addPasskey(call.app, call.caller, given, call.client);
      return securityPage(call, {}, { recoveryCodes });
    },
    page: withQuestion,
  }),
  formRoute("/settings/factors/passkeys/:id/remove", {
    ...own,
    params: IdParam,
    form: "passkey-remove",
    done: "factor-removed",
    submit: ({ app, caller, params, client }) => removePasskey(app, caller.user, params.id, client),
  }),
];

/** The challenge is used up, so the page gets a new one. */
async function withQuestion(call: PageCall, outcome: Outcome) {
  return securityPage(call, outcome, { passkey: await beginPasskey(call.app, call.caller, call.client) });
}

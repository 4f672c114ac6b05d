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
import { clientOf } from "../http/client-address.ts";
import { fitForm } from "../pages/forms.ts";
import { formRoute, type PageCall } from "../pages/page-route.ts";
import { settingsPage } from "../settings/pages.tsx";
import { Code, IdParam, only, Short } from "../http/shapes.ts";
import { passkeyInForm } from "../sign-in/proof.ts";

const CodeForm = only({ code: Code });
const NameForm = only({ name: Short });

const back = "/settings/security";
const own = { access: "user", notWhileImpersonating: true, confirmed: "with factor", back } as const;
const DONE = "factor-removed";

/** After a wrong code the same key is shown again. */
const withKey = async (call: PageCall, outcome: Outcome) =>
  settingsPage(call, outcome, { appKey: await findPendingApp(call.app, call.caller.user) });

/** The challenge is used up, so the page gets a new one. */
const withQuestion = async (call: PageCall, outcome: Outcome) =>
  settingsPage(call, outcome, { passkey: await beginPasskey(call.app, call.caller, clientOf(call)) });

export const factorPages = [
  formRoute(
    { path: "/settings/factors/app", ...own, form: "factor-app" },
    async (call) => settingsPage(call, {}, { appKey: await beginApp(call.app, call.caller.user) }),
    settingsPage,
  ),
  formRoute(
    { path: "/settings/factors/app/confirm", ...own, form: "app-code" },
    async (call, fields) => {
      const { code } = fitForm(CodeForm, { code: "", ...fields });
      return settingsPage(call, {}, { recoveryCodes: await confirmApp(call.app, call.caller, code, clientOf(call)) });
    },
    withKey,
  ),
  formRoute(
    { path: "/settings/factors/app/remove", ...own, form: "factor-app-remove" },
    async (call) => {
      await removeApp(call.app, call.caller.user, clientOf(call));
      return DONE;
    },
    settingsPage,
  ),
  formRoute(
    { path: "/settings/factors/recovery-codes", ...own, form: "recovery" },
    async (call) =>
      settingsPage(call, {}, { recoveryCodes: await makeRecoveryCodes(call.app, call.caller.user, clientOf(call)) }),
    settingsPage,
  ),
  formRoute(
    { path: "/settings/factors/passkeys/begin", ...own, form: "passkey" },
    (call) => withQuestion(call, {}),
    settingsPage,
  ),
  formRoute(
    { path: "/settings/factors/passkeys", ...own, form: "passkey-new" },
    async (call, fields) => {
      const { name } = fitForm(NameForm, { name: fields.name ?? "" });
      const given = { name, passkey: passkeyInForm(fields.passkey ?? "") };
      const { recoveryCodes } = await addPasskey(call.app, call.caller, given, clientOf(call));
      return settingsPage(call, {}, { recoveryCodes });
    },
    withQuestion,
  ),
  formRoute(
    { path: "/settings/factors/passkeys/:id/remove", ...own, params: IdParam, form: "passkey-remove" },
    async (call) => {
      await removePasskey(call.app, call.caller.user, call.params.id, clientOf(call));
      return DONE;
    },
    settingsPage,
  ),
];

import { PASSWORD } from "../support/app.ts";
import type { Seed } from "./seed.ts";

/** What a route must do, said here a second time: for whom, by what means, and what a good request comes to. */
export interface Expectation {
  who: "anyone" | "user" | "administrator";
  /** API tokens may, each within its scope. */
  byToken: boolean;
  whileImpersonating: boolean;
  path: string | ((seed: Seed) => string);
  body?: unknown | ((seed: Seed) => unknown);
  status: number;
  /** What the path names is Bob's: nobody else finds it. */
  isBobs?: boolean;
  /** Where the rules refuse an administrator who does this to the own account. */
  forAdministrators?: number;
  /** A token that may only read may do it too, though it is no reading. */
  byReadToken?: boolean;
  /** The answer is a file, not a document. */
  givesFile?: boolean;
  /** Not there on a server in use. */
  onlyBeforeSetUp?: boolean;
}

const anyone = { who: "anyone", byToken: true, whileImpersonating: true } as const;
const user = { who: "user", byToken: true, whileImpersonating: true } as const;
/** What concerns the account itself. */
const person = { who: "user", byToken: false, whileImpersonating: false } as const;
const administrator = { who: "administrator", byToken: true, whileImpersonating: false } as const;
const administratorInPerson = { ...administrator, byToken: false } as const;

const newAccount = { username: "zoe", password: "a long password" };
const next = "another long password";

/** Every route of the interface. One that is new has no place in the matrix until it stands here. */
export const EXPECTED: Record<string, Expectation> = {
  "GET /api/setup": { ...anyone, path: "/api/setup", status: 200, onlyBeforeSetUp: true },
  "POST /api/setup": {
    ...anyone,
    path: "/api/setup",
    body: { token: "?", ...newAccount },
    status: 201,
    onlyBeforeSetUp: true,
  },
  "POST /api/auth/login": {
    ...anyone,
    path: "/api/auth/login",
    body: { username: "bob", password: PASSWORD },
    status: 200,
  },
  "POST /api/auth/register": { ...anyone, path: "/api/auth/register", body: newAccount, status: 201 },
  "POST /api/auth/logout": { ...user, byReadToken: true, path: "/api/auth/logout", status: 204 },
  "POST /api/auth/factor": {
    ...anyone,
    path: "/api/auth/factor",
    body: ({ challenge, recoveryCode }: Seed) => ({ challenge, code: recoveryCode }),
    status: 200,
  },
  "POST /api/auth/terminal": {
    ...anyone,
    path: "/api/auth/terminal",
    body: ({ terminalCode }: Seed) => ({ code: terminalCode, verifier: "of the terminal" }),
    status: 201,
  },
  "POST /api/auth/confirm/passkey": { ...person, path: "/api/auth/confirm/passkey", status: 200 },
  "POST /api/auth/confirm": { ...person, path: "/api/auth/confirm", body: { password: PASSWORD }, status: 204 },
  "POST /api/auth/password": {
    ...anyone,
    path: "/api/auth/password",
    body: ({ linkToken }: Seed) => ({ token: linkToken, password: next }),
    status: 200,
  },
  "POST /api/auth/impersonation/stop": { ...anyone, path: "/api/auth/impersonation/stop", status: 204 },

  "GET /api/me": { ...user, path: "/api/me", status: 200 },
  "PUT /api/me": { ...person, path: "/api/me", body: { callsign: "YU1ZZ" }, status: 200 },
  "DELETE /api/me": { ...person, path: "/api/me", body: { password: PASSWORD }, status: 204, forAdministrators: 409 },
  "PUT /api/me/password": { ...person, path: "/api/me/password", body: { current: PASSWORD, next }, status: 204 },
  "GET /api/me/sessions": { ...person, path: "/api/me/sessions", status: 200 },
  "DELETE /api/me/sessions/:id": {
    ...person,
    path: ({ sessionId }) => `/api/me/sessions/${sessionId}`,
    status: 204,
    isBobs: true,
  },
  "GET /api/me/tokens": { ...person, path: "/api/me/tokens", status: 200 },
  "POST /api/me/tokens": { ...person, path: "/api/me/tokens", body: { name: "x", scope: "write" }, status: 201 },
  "DELETE /api/me/tokens/:id": {
    ...person,
    path: ({ tokenId }) => `/api/me/tokens/${tokenId}`,
    status: 204,
    isBobs: true,
  },

  "GET /api/me/factors": { ...person, path: "/api/me/factors", status: 200 },
  "POST /api/me/factors/app": { ...person, path: "/api/me/factors/app", status: 201 },
  "PUT /api/me/factors/app": {
    ...person,
    path: "/api/me/factors/app",
    body: ({ appCode }: Seed) => ({ code: appCode }),
    status: 200,
  },
  "DELETE /api/me/factors/app": { ...person, path: "/api/me/factors/app", status: 204 },
  "POST /api/me/factors/recovery-codes": { ...person, path: "/api/me/factors/recovery-codes", status: 201 },
  "POST /api/me/factors/passkeys/options": { ...person, path: "/api/me/factors/passkeys/options", status: 200 },
  "POST /api/me/factors/passkeys": {
    ...person,
    path: "/api/me/factors/passkeys",
    body: { name: "made up", passkey: {} },
    status: 400,
  },
  "DELETE /api/me/factors/passkeys/:id": {
    ...person,
    path: ({ passkeyId }) => `/api/me/factors/passkeys/${passkeyId}`,
    status: 204,
    isBobs: true,
  },
  "GET /api/me/identities": { ...person, path: "/api/me/identities", status: 200 },
  "DELETE /api/me/identities/:id": {
    ...person,
    path: ({ identityId }) => `/api/me/identities/${identityId}`,
    status: 204,
    isBobs: true,
  },
  "DELETE /api/me/sign-ins": { ...person, path: "/api/me/sign-ins", status: 204 },
  "GET /api/me/events": { ...person, path: "/api/me/events?limit=5", status: 200 },

  "GET /api/services": { ...user, path: "/api/services", status: 200 },
  "PUT /api/services/:source/credentials": {
    ...person,
    path: "/api/services/second/credentials",
    body: { apiKey: "AB12-CD34-EF56-0789" },
    status: 200,
  },
  "DELETE /api/services/:source/credentials": { ...person, path: "/api/services/first/credentials", status: 204 },
  "POST /api/services/:source/test": { ...person, path: "/api/services/first/test", status: 200 },

  "GET /api/notices/targets": { ...user, path: "/api/notices/targets", status: 200 },
  "POST /api/notices/targets": {
    ...person,
    path: "/api/notices/targets",
    body: { kind: "webhook", url: "https://hooks.example.org/x", events: ["leftovers"] },
    status: 201,
  },
  "PUT /api/notices/targets/:id": {
    ...person,
    path: ({ targetId }) => `/api/notices/targets/${targetId}`,
    body: { events: ["sync_failed"] },
    status: 200,
    isBobs: true,
  },
  "DELETE /api/notices/targets/:id": {
    ...person,
    path: ({ targetId }) => `/api/notices/targets/${targetId}`,
    status: 204,
    isBobs: true,
  },
  "POST /api/notices/targets/:id/test": {
    ...person,
    path: ({ targetId }) => `/api/notices/targets/${targetId}/test`,
    status: 502,
    isBobs: true,
  },

  "POST /api/sync/:source": { ...user, path: "/api/sync/first", body: { dryRun: true }, status: 202 },
  "POST /api/repairs": {
    ...user,
    path: "/api/repairs",
    body: { filter: { call: "K1*" }, set: { qth: "Nis" } },
    status: 202,
  },
  "GET /api/reconcile": { ...user, path: "/api/reconcile?class=everywhere&limit=5", status: 200 },
  "POST /api/reconcile/settle": {
    ...user,
    path: "/api/reconcile/settle",
    body: ({ leftoverId }: Seed) => ({ act: "dismiss", leftovers: [{ id: leftoverId }] }),
    status: 202,
    isBobs: true,
  },
  "GET /api/duplicates": { ...user, path: "/api/duplicates?kind=twice&limit=5", status: 200 },
  "POST /api/duplicates/merge": { ...user, path: "/api/duplicates/merge", body: { kind: "twice" }, status: 202 },
  "GET /api/jobs": { ...user, path: "/api/jobs?limit=5&status=failed,completed", status: 200 },
  "GET /api/jobs/:id": { ...user, path: ({ failedJob }) => `/api/jobs/${failedJob}`, status: 200, isBobs: true },
  "GET /api/jobs/:id/changes": {
    ...user,
    path: ({ failedJob }) => `/api/jobs/${failedJob}/changes?limit=1`,
    status: 200,
    isBobs: true,
  },
  "GET /api/jobs/:id/leftovers": {
    ...user,
    path: ({ failedJob }) => `/api/jobs/${failedJob}/leftovers`,
    status: 200,
    isBobs: true,
  },
  "GET /api/jobs/:id/rollback": {
    ...user,
    path: ({ failedJob }) => `/api/jobs/${failedJob}/rollback`,
    status: 200,
    isBobs: true,
  },
  "DELETE /api/jobs/:id": { ...user, path: ({ failedJob }) => `/api/jobs/${failedJob}`, status: 200, isBobs: true },
  "POST /api/jobs/:id/undo": {
    ...user,
    path: ({ importJob }) => `/api/jobs/${importJob}/undo`,
    status: 200,
    isBobs: true,
  },
  "POST /api/jobs/:id/stop": {
    ...user,
    path: ({ failedJob }) => `/api/jobs/${failedJob}/stop`,
    status: 202,
    isBobs: true,
  },
  "DELETE /api/leftovers/:id": {
    ...user,
    path: ({ leftoverId }) => `/api/leftovers/${leftoverId}`,
    status: 204,
    isBobs: true,
  },
  "GET /api/stats": { ...user, path: "/api/stats?station=YU1TEST", status: 200 },
  "GET /api/stats/:figure": { ...user, path: "/api/stats/hours?search=20m", status: 200 },

  "GET /api/qsos": { ...user, path: "/api/qsos?band=20m&limit=5", status: 200 },
  "POST /api/qsos": {
    ...user,
    path: "/api/qsos",
    body: { call: "K9NEW", startedAt: "2026-07-02 10:00", band: "20m", mode: "CW" },
    status: 201,
  },
  "POST /api/feed": {
    ...user,
    path: "/api/feed",
    body: {
      client: "WSJT-X",
      told: [
        {
          kind: "contact",
          fields: { CALL: "K9FEED", QSO_DATE: "20260718", TIME_ON: "0143", BAND: "20m", MODE: "FT8" },
        },
      ],
    },
    status: 200,
  },
  "GET /api/need": { ...user, path: "/api/need?call=K1ABC&band=20m&mode=FT8", status: 200 },
  "POST /api/need": {
    ...user,
    byReadToken: true,
    path: "/api/need",
    body: { asked: [{ call: "K1ABC" }] },
    status: 200,
  },
  "GET /api/qsos/export": { ...user, path: "/api/qsos/export?band=20m", status: 200, givesFile: true },
  "POST /api/qsos/import": {
    ...user,
    path: "/api/qsos/import?dryRun=true",
    body: "log\n<EOH>\n<CALL:5>K8XYZ<QSO_DATE:8>20260701<TIME_ON:4>1200<BAND:3>20m<MODE:2>CW<EOR>\n",
    status: 201,
  },
  "GET /api/qsos/:id": { ...user, path: ({ qsoId }) => `/api/qsos/${qsoId}`, status: 200, isBobs: true },
  "GET /api/qsos/:id/why": { ...user, path: ({ qsoId }) => `/api/qsos/${qsoId}/why`, status: 200, isBobs: true },
  "PATCH /api/qsos/:id": {
    ...user,
    path: ({ qsoId }) => `/api/qsos/${qsoId}`,
    body: { name: "Ann" },
    status: 200,
    isBobs: true,
  },
  "DELETE /api/qsos/:id": { ...user, path: ({ qsoId }) => `/api/qsos/${qsoId}`, status: 204, isBobs: true },

  "GET /api/awards": { ...user, path: "/api/awards?by=any", status: 200 },
  "GET /api/awards/:id": { ...user, path: "/api/awards/DXCC?band=20m", status: 200 },
  "GET /api/awards/:id/needed": { ...user, path: "/api/awards/was/needed?group=cw", status: 200 },
  "GET /api/awards/:id/cards": { ...user, path: "/api/awards/dxcc/cards", status: 200 },
  "GET /api/awards/:id/matrix": { ...user, path: "/api/awards/dxcc/matrix?group=cw&by=any", status: 200 },
  "GET /api/news": { ...user, path: "/api/news?since=2020-01-01", status: 200 },

  "GET /auto-sync/settings": { ...user, path: "/auto-sync/settings", status: 200 },
  "PUT /auto-sync/settings": {
    ...user,
    path: "/auto-sync/settings",
    body: { first: { enabled: true, intervalHours: 12 } },
    status: 200,
  },
  "GET /auto-sync/scheduler/status": { ...user, path: "/auto-sync/scheduler/status", status: 200 },

  "GET /api/admin/stats": { ...administrator, path: "/api/admin/stats", status: 200 },
  "GET /api/admin/users": { ...administrator, path: "/api/admin/users?q=b&sort=-lastSeen", status: 200 },
  "POST /api/admin/users": { ...administratorInPerson, path: "/api/admin/users", body: newAccount, status: 201 },
  "POST /api/admin/users/invite": {
    ...administratorInPerson,
    path: "/api/admin/users/invite",
    body: { username: "zoe" },
    status: 201,
  },
  "POST /api/admin/users/:id/password-link": {
    ...administratorInPerson,
    path: ({ app }) => `/api/admin/users/${app.eve.id}/password-link`,
    status: 201,
  },
  "POST /api/admin/users/:id/reset-factor": {
    ...administratorInPerson,
    path: ({ app }) => `/api/admin/users/${app.eve.id}/reset-factor`,
    status: 200,
  },
  "GET /api/admin/users/:id/tokens": {
    ...administratorInPerson,
    path: ({ app }) => `/api/admin/users/${app.bob.id}/tokens`,
    status: 200,
  },
  "DELETE /api/admin/users/:id/tokens/:token": {
    ...administratorInPerson,
    path: ({ app, tokenId }) => `/api/admin/users/${app.bob.id}/tokens/${tokenId}`,
    status: 204,
  },
  "DELETE /api/admin/users/:id/sign-ins": {
    ...administratorInPerson,
    path: ({ app }) => `/api/admin/users/${app.eve.id}/sign-ins`,
    status: 204,
  },
  "DELETE /api/admin/users/:id": {
    ...administratorInPerson,
    path: ({ app }) => `/api/admin/users/${app.eve.id}`,
    status: 204,
  },
  "POST /api/admin/users/:id/promote": {
    ...administratorInPerson,
    path: ({ app }) => `/api/admin/users/${app.eve.id}/promote`,
    status: 200,
  },
  "POST /api/admin/users/:id/demote": {
    ...administratorInPerson,
    path: ({ amy }) => `/api/admin/users/${amy.id}/demote`,
    status: 200,
  },
  "POST /api/admin/users/:id/password": {
    ...administratorInPerson,
    path: ({ app }) => `/api/admin/users/${app.eve.id}/password`,
    body: { password: next },
    status: 200,
  },
  "POST /api/admin/users/:id/impersonate": {
    ...administratorInPerson,
    path: ({ app }) => `/api/admin/users/${app.eve.id}/impersonate`,
    status: 200,
  },
  "GET /api/admin/actions": { ...administrator, path: "/api/admin/actions?from=2026-01-01&limit=2", status: 200 },
};

import { PASSWORD } from "../support/app.ts";
import type { Seed } from "./seed.ts";

/** A good request to a route: what its declaration cannot say. */
export interface GoodRequest {
  /** With parameters, and a query where one is worth trying. */
  path?: string | ((seed: Seed) => string);
  body?: unknown | ((seed: Seed) => unknown);
  /** Where it comes to something else than the route promises. */
  status?: number;
  /** What the body names is Bob's: nobody else finds it. */
  isBobs?: boolean;
  /** Where the rules refuse an administrator who does this to the own account. */
  forAdministrators?: number;
}

const newAccount = { username: "zoe", password: "a long password" };
const next = "another long password";

/** By method and path. A route that needs neither parameters nor a body is not listed. */
export const GOOD_REQUESTS: Record<string, GoodRequest> = {
  "POST /api/setup": { body: { token: "?", ...newAccount } },
  "POST /api/auth/login": { body: { username: "bob", password: PASSWORD } },
  "POST /api/auth/register": { body: newAccount },
  "POST /api/auth/factor": { body: ({ challenge, recoveryCode }: Seed) => ({ challenge, code: recoveryCode }) },
  "POST /api/auth/terminal": {
    body: ({ terminalCode }: Seed) => ({ code: terminalCode, verifier: "of the terminal" }),
  },
  "POST /api/auth/confirm": { body: { password: PASSWORD } },
  "POST /api/auth/password": { body: ({ linkToken }: Seed) => ({ token: linkToken, password: next }) },
  "PUT /api/me": { body: { callsign: "YU1ZZ" } },
  "DELETE /api/me": { body: { password: PASSWORD }, forAdministrators: 409 },
  "PUT /api/me/password": { body: { current: PASSWORD, next } },
  "DELETE /api/me/sessions/:id": { path: ({ sessionId }) => `/api/me/sessions/${sessionId}` },
  "POST /api/me/tokens": { body: { name: "x", scope: "write" } },
  "DELETE /api/me/tokens/:id": { path: ({ tokenId }) => `/api/me/tokens/${tokenId}` },
  "PUT /api/me/factors/app": { body: ({ appCode }: Seed) => ({ code: appCode }) },
  "POST /api/me/factors/passkeys": { body: { name: "made up", passkey: {} }, status: 400 },
  "DELETE /api/me/factors/passkeys/:id": { path: ({ passkeyId }) => `/api/me/factors/passkeys/${passkeyId}` },
  "DELETE /api/me/identities/:id": { path: ({ identityId }) => `/api/me/identities/${identityId}` },
  "GET /api/me/events": { path: "/api/me/events?limit=5" },
  "PUT /api/services/:source/credentials": {
    path: "/api/services/second/credentials",
    body: { apiKey: "AB12-CD34-EF56-0789" },
  },
  "DELETE /api/services/:source/credentials": { path: "/api/services/first/credentials" },
  "POST /api/services/:source/test": { path: "/api/services/first/test" },
  "POST /api/notices/targets": { body: { kind: "webhook", url: "https://hooks.example.org/x", events: ["leftovers"] } },
  "PUT /api/notices/targets/:id": {
    path: ({ targetId }) => `/api/notices/targets/${targetId}`,
    body: { events: ["sync_failed"] },
  },
  "DELETE /api/notices/targets/:id": { path: ({ targetId }) => `/api/notices/targets/${targetId}` },
  "POST /api/notices/targets/:id/test": {
    path: ({ targetId }) => `/api/notices/targets/${targetId}/test`,
    status: 502,
  },
  "POST /api/sync/:source": { path: "/api/sync/first", body: { dryRun: true } },
  "POST /api/repairs": { body: { filter: { call: "K1*" }, set: { qth: "Nis" } } },
  "GET /api/reconcile": { path: "/api/reconcile?class=everywhere&limit=5" },
  "POST /api/reconcile/settle": {
    body: ({ leftoverId }: Seed) => ({ act: "dismiss", leftovers: [{ id: leftoverId }] }),
    isBobs: true,
  },
  "GET /api/duplicates": { path: "/api/duplicates?kind=twice&limit=5" },
  "POST /api/duplicates/merge": { body: { kind: "twice" } },
  "GET /api/jobs": { path: "/api/jobs?limit=5&status=failed,completed" },
  "GET /api/jobs/:id": { path: ({ failedJob }) => `/api/jobs/${failedJob}` },
  "GET /api/jobs/:id/changes": { path: ({ failedJob }) => `/api/jobs/${failedJob}/changes?limit=1` },
  "GET /api/jobs/:id/leftovers": { path: ({ failedJob }) => `/api/jobs/${failedJob}/leftovers` },
  "GET /api/jobs/:id/rollback": { path: ({ failedJob }) => `/api/jobs/${failedJob}/rollback` },
  "DELETE /api/jobs/:id": { path: ({ failedJob }) => `/api/jobs/${failedJob}` },
  "POST /api/jobs/:id/undo": { path: ({ importJob }) => `/api/jobs/${importJob}/undo` },
  "POST /api/jobs/:id/stop": { path: ({ failedJob }) => `/api/jobs/${failedJob}/stop` },
  "DELETE /api/leftovers/:id": { path: ({ leftoverId }) => `/api/leftovers/${leftoverId}` },
  "GET /api/stats": { path: "/api/stats?station=YU1TEST" },
  "GET /api/stats/:figure": { path: "/api/stats/hours?search=20m" },
  "GET /api/qsos": { path: "/api/qsos?band=20m&limit=5" },
  "POST /api/qsos": { body: { call: "K9NEW", startedAt: "2026-07-02 10:00", band: "20m", mode: "CW" } },
  "POST /api/feed": {
    body: {
      client: "WSJT-X",
      told: [
        {
          kind: "contact",
          fields: { CALL: "K9FEED", QSO_DATE: "20260718", TIME_ON: "0143", BAND: "20m", MODE: "FT8" },
        },
      ],
    },
  },
  "GET /api/need": { path: "/api/need?call=K1ABC&band=20m&mode=FT8" },
  "POST /api/need": { body: { asked: [{ call: "K1ABC" }] } },
  "GET /api/qsos/export": { path: "/api/qsos/export?band=20m" },
  "POST /api/qsos/import": {
    path: "/api/qsos/import?dryRun=true",
    body: "log\n<EOH>\n<CALL:5>K8XYZ<QSO_DATE:8>20260701<TIME_ON:4>1200<BAND:3>20m<MODE:2>CW<EOR>\n",
  },
  "GET /api/qsos/:id": { path: ({ qsoId }) => `/api/qsos/${qsoId}` },
  "GET /api/qsos/:id/why": { path: ({ qsoId }) => `/api/qsos/${qsoId}/why` },
  "PATCH /api/qsos/:id": { path: ({ qsoId }) => `/api/qsos/${qsoId}`, body: { name: "Ann" } },
  "DELETE /api/qsos/:id": { path: ({ qsoId }) => `/api/qsos/${qsoId}` },
  "GET /api/awards": { path: "/api/awards?by=any" },
  "GET /api/awards/:id": { path: "/api/awards/DXCC?band=20m" },
  "GET /api/awards/:id/needed": { path: "/api/awards/was/needed?group=cw" },
  "GET /api/awards/:id/cards": { path: "/api/awards/dxcc/cards" },
  "GET /api/awards/:id/matrix": { path: "/api/awards/dxcc/matrix?group=cw&by=any" },
  "GET /api/news": { path: "/api/news?since=2020-01-01" },
  "PUT /auto-sync/settings": { body: { first: { enabled: true, intervalHours: 12 } } },
  "GET /api/admin/users": { path: "/api/admin/users?q=b&sort=-lastSeen" },
  "POST /api/admin/users": { body: newAccount },
  "POST /api/admin/users/invite": { body: { username: "zoe" } },
  "POST /api/admin/users/:id/password-link": { path: ({ app }) => `/api/admin/users/${app.eve.id}/password-link` },
  "POST /api/admin/users/:id/reset-factor": { path: ({ app }) => `/api/admin/users/${app.eve.id}/reset-factor` },
  "GET /api/admin/users/:id/tokens": { path: ({ app }) => `/api/admin/users/${app.bob.id}/tokens` },
  "DELETE /api/admin/users/:id/tokens/:token": {
    path: ({ app, tokenId }) => `/api/admin/users/${app.bob.id}/tokens/${tokenId}`,
  },
  "DELETE /api/admin/users/:id/sign-ins": { path: ({ app }) => `/api/admin/users/${app.eve.id}/sign-ins` },
  "DELETE /api/admin/users/:id": { path: ({ app }) => `/api/admin/users/${app.eve.id}` },
  "POST /api/admin/users/:id/promote": { path: ({ app }) => `/api/admin/users/${app.eve.id}/promote` },
  "POST /api/admin/users/:id/demote": { path: ({ amy }) => `/api/admin/users/${amy.id}/demote` },
  "POST /api/admin/users/:id/password": {
    path: ({ app }) => `/api/admin/users/${app.eve.id}/password`,
    body: { password: next },
  },
  "POST /api/admin/users/:id/impersonate": { path: ({ app }) => `/api/admin/users/${app.eve.id}/impersonate` },
  "GET /api/admin/actions": { path: "/api/admin/actions?from=2026-01-01&limit=2" },
};

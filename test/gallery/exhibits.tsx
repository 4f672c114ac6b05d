/** @jsxImportSource @kitajs/html */
import { LABELS } from "../../src/domain/origins/labels.ts";
import { DAY, HOUR } from "../../src/kernel/clock.ts";
import { LogCharts } from "../../views/charts/log-charts.tsx";
import type { Problem } from "../../views/form.tsx";
import { Actions } from "../../views/pages/admin-actions.tsx";
import { Overview } from "../../views/pages/admin-overview.tsx";
import { OneUser } from "../../views/pages/admin-user.tsx";
import { Confirm, SetPassword } from "../../views/pages/confirm.tsx";
import { Users } from "../../views/pages/admin-users.tsx";
import { AwardPage } from "../../views/pages/award.tsx";
import { Awards } from "../../views/pages/awards.tsx";
import { Glance } from "../../views/partials/glance.tsx";
import { AddQso, ImportFile, ImportProgress, QuickHints } from "../../views/pages/add-and-import.tsx";
import { Dashboard } from "../../views/pages/dashboard.tsx";
import { Go } from "../../views/pages/go.tsx";
import { Job } from "../../views/pages/job.tsx";
import { Jobs } from "../../views/pages/jobs.tsx";
import { Log, LogTools } from "../../views/pages/log.tsx";
import { FactorStep } from "../../views/pages/factor-step.tsx";
import { Terminal } from "../../views/pages/terminal.tsx";
import { Components } from "./components.tsx";
import { repairExhibits } from "./repair-exhibits.tsx";
import { ForgottenPassword, Login, Newcomer } from "../../views/pages/login.tsx";
import { Onward } from "../../views/partials/settings/identities.tsx";
import { Register, SetUp } from "../../views/pages/new-account.tsx";
import { QsoPage } from "../../views/pages/qso.tsx";
import { Refused } from "../../views/pages/refused.tsx";
import { Rollback } from "../../views/pages/rollback.tsx";
import { Settings, SETTINGS_TABS } from "../../views/pages/settings.tsx";
import { drawCharts, Selection } from "../../views/pages/statistics.tsx";
import { LOG_COLUMNS, USUAL_COLUMNS } from "../../views/partials/contacts/log-columns.ts";
import { QsoPanel } from "../../views/partials/contacts/qso-story.tsx";
import {
  aChange,
  activityWith,
  aMatrix,
  aCallsNeed,
  aNeed,
  anAward,
  aProgress,
  someFactors,
  recentWith,
  aJob,
  aCandidate,
  aLeftover,
  anAction,
  aQso,
  aShownUser,
  aNamedContact,
  aStory,
  someFigures,
  somePlacesWorked,
  aTarget,
  aMap,
  aWaitingContact,
  threePlaces,
  everyJob,
  NOON,
  services,
  statisticsWith,
  type Say,
  somePlaces,
} from "./canned.ts";

/** The amount of data. */
export type Amount = "empty" | "usual" | "huge";

const PAST = { at: Date.UTC(2026, 7, 1) - 1, recordedSince: Date.UTC(2026, 6, 1) };

const ROWS: Record<Amount, number> = { empty: 0, usual: 6, huge: 50 };

const rows = <T,>(amount: Amount, make: (id: number) => T): T[] =>
  Array.from({ length: ROWS[amount] }, (_, index) => make(index + 1));

/** Every page with canned data, by name. */
const SHOWN: Record<string, "worked" | "needed"> = { waiting: "worked", needed: "needed" };

export const exhibits = (say: Say, amount: Amount): Record<string, () => JSX.Element> => {
  const count = { empty: 0, usual: 3_210, huge: 12_345_678 }[amount];
  const hasSome = amount !== "empty";
  const past = amount === "huge" ? PAST : undefined;
  const jobs = hasSome ? everyJob(say) : [];
  const user = aShownUser(say, 2);
  const problem = (form: string, ...names: string[]): Problem => ({
    form,
    message: say("This does not fit."),
    fields: Object.fromEntries(names.map((name) => [name, say("This is too short.")])),
    values: Object.fromEntries(names.map((name) => [name, say("what was typed")])),
  });
  const refused = hasSome ? problem : () => undefined;
  return {
    ...repairExhibits(say, { count, hasSome, rows: (make) => rows(amount, make), refused }),
    components: () => <Components say={say} />,
    login: () => (
      <Login
        next={say("/jobs")}
        registration={hasSome}
        needsSetUp={!hasSome}
        provider={hasSome ? say("Authelia") : null}
        isOut={hasSome}
        canSignOutThere={hasSome}
        sendsMail={hasSome}
        problem={refused("login", "username", "password")}
      />
    ),
    forgotten: () => <ForgottenPassword problem={refused("forgotten", "username")} />,
    setup: () => <SetUp token={say("a-token")} problem={refused("setup", "username", "email")} />,
    register: () => <Register problem={refused("register", "password", "callsign")} />,
    refused: () => (
      <Refused code="forbidden" message={say("Only administrators can do this.")} rule={undefined} isSignedIn />
    ),
    dashboard: () => (
      <Dashboard
        name={say("YU1BOB")}
        statistics={statisticsWith(count)}
        charts={hasSome ? <LogCharts statistics={statisticsWith(count)} activity={activityWith(count)} /> : ""}
        jobs={jobs.slice(0, 5)}
        newer={jobs.slice(5, 6)}
        active={hasSome ? 2 : 0}
        services={services(say, hasSome)}
        glance={
          hasSome ? (
            <Glance
              awards={(["waz", "was", "dxcc", "wpx"] as const).map((id, at) => aProgress(say, id, 30 + at * 11))}
              contacts={rows(amount, (id) => aQso(say, id)).slice(0, 6)}
              recent={recentWith(say)}
              news={{ since: NOON - 3 * DAY, jobs: 4, added: 120, updated: 30, confirmed: 44, failed: 1, gains: [] }}
              now={NOON}
            />
          ) : (
            ""
          )
        }
        mayConnect={amount !== "huge"}
        now={NOON}
        openedAt={amount === "huge" ? 0 : NOON}
        wasEmpty={amount !== "usual"}
        problem={refused("sync-second", "since")}
      />
    ),
    go: () => (
      <Go
        words={say("k1")}
        found={rows(amount, (id) =>
          id === 1
            ? { label: `Sync ${LABELS.first} now`, path: "sync/first", isDone: true }
            : { label: say(`K${id}ABC`), path: `log/${id}`, says: say("20m · FT8") },
        )}
      />
    ),
    jobs: () => (
      <Jobs
        jobs={amount === "huge" ? rows(amount, (id) => aJob(say, { id, status: "completed", count })) : jobs}
        newer={hasSome ? 2 : 0}
        active={0}
        filter={{ source: undefined, status: undefined }}
        here=""
        next={hasSome ? `?cursor=${encodeURIComponent(say("next"))}` : null}
        now={NOON}
      />
    ),
    job: () => (
      <Job
        job={aJob(say, { id: 4, status: hasSome ? "failed" : "completed", count })}
        changes={rows(amount, (id) => aChange(say, id))}
        leftovers={rows(amount, (id) => aLeftover(say, id))}
        candidates={[4, 5].map((id) => aCandidate(say, id))}
        nextChanges={null}
        nextLeftovers={null}
        here=""
        tab={hasSome ? "left" : "new"}
        problem={refused("dismiss")}
        takenBack={hasSome ? say("Rolled back.") : undefined}
        done={hasSome ? "dismissed" : undefined}
      />
    ),
    "job-changes": () => (
      <Job
        job={aJob(say, { id: 4, status: hasSome ? "running" : "pending", count })}
        changes={rows(amount, (id) => aChange(say, id))}
        leftovers={[]}
        candidates={[]}
        nextChanges={hasSome ? "more" : null}
        nextLeftovers={null}
        here=""
        tab="changed"
        takenBack={undefined}
      />
    ),
    rollback: () => (
      <Rollback
        job={aJob(say, { id: 4, status: "failed" })}
        undo={false}
        preview={{
          deleted: count,
          restored: count,
          kept: rows(amount, (id) => ({
            ...aNamedContact(say, id),
            field: say("state"),
            value: say("WI"),
            reason: say("changed later by another source or by you"),
          })),
          keptTotal: count,
          later: rows(amount, (jobId) => ({ jobId, source: "first", deleted: 1, restored: 2_300, confirmations: 151 })),
          stopped: rows(amount, (jobId) => ({ jobId, source: "second" })),
          staying: 0,
          contacts: {
            deleted: rows(amount, (id) => aNamedContact(say, id)),
            restored: rows(amount, (id) => aNamedContact(say, id)),
            stays: [],
          },
        }}
        problem={refused("rollback")}
      />
    ),
    log: () => (
      <Log
        qsos={rows(amount, (id) => aQso(say, id))}
        total={count}
        withoutContacts={hasSome ? undefined : [say("YU0ABC")]}
        search={hasSome ? say("20m dxcc:japan k1*") : ""}
        sort={hasSome ? "call" : "-startedAt"}
        others={hasSome ? { id: say("1,2"), ...(past && { asOf: say("2026-07-31") }) } : {}}
        place={hasSome ? { cursor: say("here") } : {}}
        first={hasSome ? 51 : 1}
        past={past}
        columns={hasSome ? LOG_COLUMNS.map(({ name }) => name) : USUAL_COLUMNS}
        next={hasSome ? "next" : null}
        previous={hasSome ? "previous" : null}
        problem={refused("find")}
      />
    ),
    "log-add": () => (
      <AddQso
        call={hasSome ? say("K9XYZ") : ""}
        band={say("20")}
        mode={say("cw")}
        added={hasSome ? aQso(say, 4) : null}
        canUndo={hasSome}
        undone={!hasSome}
        last={rows(amount, (id) => aQso(say, id))}
        problem={refused("quick", "call", "band")}
      />
    ),
    "log-tools": () => (
      <ul>
        <LogTools counts={{ duplicates: ROWS[amount], unresolved: ROWS[amount] }} />
      </ul>
    ),
    "log-hints": () => (
      <QuickHints
        need={aCallsNeed(say, ROWS[amount])}
        before={rows(amount, (id) => aQso(say, id))}
        total={ROWS[amount]}
        slots={hasSome ? [{ band: "20m", mode: "CW", state: "worked" }] : []}
        here={{ band: "20m", mode: "CW" }}
        twice={hasSome ? say("You logged K9XYZ a moment ago.") : null}
      />
    ),
    "log-import": () => <ImportFile isBlocked={!hasSome} problem={refused("import")} />,
    "import-progress": () => (
      <ImportProgress arriving={hasSome ? { bytes: count * 1_000, size: count * 3_000 } : null} waited={0} />
    ),
    panel: () => (
      <QsoPanel
        story={aStory(
          say,
          rows(amount, (id) => aQso(say, id)),
        )}
      />
    ),
    qso: () => (
      <QsoPage
        story={aStory(
          say,
          rows(amount, (id) => aQso(say, id)),
        )}
        problem={refused("edit-qso", "call", "comment")}
      />
    ),
    statistics: async () => {
      const props = {
        search: hasSome ? say("20m 2024") : "",
        asOf: past ? say("2026-07-31") : "",
        figures: { ...someFigures(say, hasSome), ...(past && { asOf: past }) },
        map: hasSome ? { land: "M0 0l9 9", places: somePlacesWorked(say) } : null,
        now: NOON,
        problem: refused("select"),
      };
      const charts = await drawCharts(props, () => Promise.resolve());
      return (
        <>
          <Selection {...props} past={past} />
          {charts as "safe"}
        </>
      );
    },
    awards: () => (
      <Awards
        awards={rows(amount, (id) => aProgress(say, "dxcc", id * 7))}
        locations={somePlaces(say)}
        asked={{ by: "", station: say("YU1BOB"), location: "110", asOf: "" }}
      />
    ),
    ...Object.fromEntries(
      (["dxcc", "was", "vucc", "wpx", "dxcc-waiting", "dxcc-needed", "dxcc-map", "was-map", "vucc-map"] as const).map(
        (name) => {
          const [id, part = "all"] = name.split("-") as [
            "dxcc" | "was" | "vucc" | "wpx",
            "map" | "waiting" | "needed" | undefined,
          ];
          const view = part === "map" ? "map" : "list";
          return [
            `award-${name}`,
            () => (
              <AwardPage
                award={anAward(say, id, ROWS[amount] * 4)}
                matrix={id === "vucc" || id === "wpx" ? null : aMatrix(say, id, ROWS[amount])}
                needed={aNeed(say, id, ROWS[amount])}
                contacts={
                  new Map(Array.from({ length: ROWS[amount] }, (_, at) => [at + 1, aWaitingContact(say, at + 1)]))
                }
                places={threePlaces(say)}
                home={{ lat: 44, lon: 20 }}
                world={
                  view === "list"
                    ? null
                    : id === "vucc"
                      ? { land: "M480 120l120 0 60 180-90 90z" }
                      : { map: aMap(new Map([[291, "M0 0l9 0 0 9z"]])), insets: [["europe", aMap(new Map())]] }
                }
                look={{ view, show: SHOWN[part] ?? "all", find: "", page: 1, isTable: false }}
                asked={{
                  by: "",
                  band: part === "needed" ? "20m" : "",
                  group: "",
                  station: say("YU1BOB"),
                  location: "",
                  asOf: past ? say("2026-07-31") : "",
                }}
                asOf={past}
                now={NOON}
                problem={refused("view", "station")}
              />
            ),
          ];
        },
      ),
    ),
    ...Object.fromEntries(
      SETTINGS_TABS.map(({ tab }) => [
        tab === "services" ? "settings" : `settings-${tab}`,
        () => (
          <Settings
            tab={tab}
            user={{ ...user, isAdmin: false, role: "user" }}
            services={services(say, hasSome)}
            hasMail
            account={{
              sessions: rows(amount, (id) => ({
                id: say(`session${id}`),
                lastUsedAt: NOON - id * HOUR,
                createdAt: NOON - id * DAY,
                address: say("192.0.2.7"),
                userAgent: say("Mozilla/5.0 (X11; Linux x86_64) Firefox/144.0"),
                current: id === 1,
              })),
              tokens: rows(amount, (id) => ({
                id,
                name: say("logger on the shack's computer"),
                scope: id % 2 === 0 ? ("read" as const) : ("write" as const),
                createdAt: NOON - id * DAY,
                expiresAt: id % 3 === 0 ? null : NOON + (id - 3) * DAY,
                lastUsedAt: null,
              })),
              linked: {
                provider: hasSome ? say("Authelia") : null,
                hasPassword: hasSome,
                identities: rows(amount, (id) => ({
                  id,
                  issuer: say("https://auth.example.org"),
                  label: say("bob"),
                  createdAt: NOON - id * DAY,
                  lastUsedAt: id === 1 ? null : NOON,
                })),
              },
              events: rows(amount, (id) => ({
                id,
                at: NOON - id * HOUR,
                event: id % 2 === 0 ? ("sign_in" as const) : ("write_as_user" as const),
                by: id % 2 === 0 ? null : say("ann"),
                address: id % 2 === 0 ? say("192.0.2.7") : null,
                userAgent: id % 2 === 0 ? say("Mozilla/5.0 (X11; Linux x86_64) Firefox/144.0") : null,
                details: id % 2 === 0 ? {} : { method: "PATCH", path: say("/api/qsos/17") },
              })),
              factors: someFactors(say, ROWS[amount]),
              takesPasskeys: true,
              settingUp: hasSome
                ? {
                    appKey: {
                      key: say("A4DQOBYHA4DQOBYH"),
                      address: "otpauth://totp/qsolog:bob?secret=A4DQOBYHA4DQOBYH",
                    },
                    recoveryCodes: [say("abcd-efgh-ijkm-npqr")],
                    passkey: { challenge: say("0123") },
                  }
                : {},
            }}
            base={say("https://log.example.org")}
            programKey={hasSome ? say("qf0123456789") : undefined}
            newToken={hasSome ? say("qsl_0123456789") : undefined}
            targets={rows(amount, (id) => aTarget(say, id))}
            newKey={hasSome ? say("whsec_0123456789") : undefined}
            done={hasSome ? "schedule" : undefined}
            now={NOON}
            problem={refused("profile", "callsign", "email")}
          />
        ),
      ]),
    ),
    "settings-acting": () => (
      <Settings
        tab="security"
        user={user}
        services={services(say, hasSome)}
        hasMail
        targets={rows(amount, (id) => aTarget(say, id))}
        account={null}
        base={say("https://log.example.org")}
        now={NOON}
      />
    ),
    "admin-overview": () => (
      <Overview
        users={count}
        administrators={1}
        active24h={count}
        active30d={count}
        qsos={count}
        jobs={{ pending: 0, running: 1, completed: count, failed: 3, cancelled: 1 }}
        databaseBytes={count * 900}
        location={say("/var/lib/qsolog/qsolog.db")}
        scheduler={{ running: hasSome, lastTickAt: hasSome ? NOON : null }}
        countryFile={say("CTY-3501")}
        version={say("0.1.0")}
        startedAt={NOON - 5 * DAY}
        failing={{ users: rows(amount, (id) => aShownUser(say, id)), total: ROWS[amount] + 3 }}
        upcoming={rows(amount, (id) => ({
          userId: id,
          username: say("bob"),
          source: "first" as const,
          nextSyncAt: NOON + id * HOUR,
          intervalHours: 24,
        }))}
        now={NOON}
      />
    ),
    "admin-users": () => (
      <Users
        users={rows(amount, (id) => aShownUser(say, id))}
        total={count}
        ownId={1}
        asked={{ q: say("bo"), sort: "username", filter: "" }}
        here=""
        next={null}
        now={NOON}
        done={hasSome ? "promoted.bob" : undefined}
        problem={refused("delete-2", "name")}
      />
    ),
    "admin-user": () => (
      <OneUser
        user={{ ...user, id: 2 }}
        isOwn={!hasSome}
        hasFactor={hasSome}
        tokens={rows(amount, (id) => ({
          id,
          name: say("logger on the shack's computer"),
          scope: "read" as const,
          createdAt: NOON - id * DAY,
          expiresAt: null,
          lastUsedAt: null,
        }))}
        link={
          hasSome ? { address: say("https://log.example.org/password?token=0123"), expiresAt: NOON + HOUR } : undefined
        }
        now={NOON}
      />
    ),
    confirm: () => (
      <Confirm
        next={say("/settings")}
        factors={hasSome ? { hasApp: true, passkey: { challenge: say("0123") } } : null}
        needsFactor={false}
        hasPassword={hasSome}
        provider={amount === "huge" ? say("Authelia") : null}
        problem={refused("confirm", "password")}
      />
    ),
    terminal: () => (
      <Terminal
        username={say("bob")}
        order={{ terminal: say("0123"), name: say("qsolog on shack"), scope: "write" }}
        code={hasSome ? say("abcd-efgh-ijkm-npqr") : undefined}
      />
    ),
    "factor-step": () => (
      <FactorStep
        next={say("/settings")}
        factors={hasSome ? ["code", "passkey", "recovery"] : ["passkey"]}
        passkey={hasSome ? { challenge: say("0123") } : null}
        problem={refused("code", "code")}
      />
    ),
    newcomer: () => (
      <Newcomer
        provider={say("Authelia")}
        label={hasSome ? say("bob@example.org") : null}
        suggested={{ username: hasSome ? say("bob") : null, callsign: null, email: null }}
        problem={refused("newcomer", "username", "email")}
      />
    ),
    onward: () => <Onward provider={say("Authelia")} />,
    "new-password": () => (
      <SetPassword token={say("0123")} username={say("bob")} problem={refused("new-password", "password")} />
    ),
    "admin-actions": () => (
      <Actions
        actions={rows(amount, (id) => anAction(say, id))}
        total={count}
        asked={{ admin: say("ann"), action: "", target: say("bob"), from: "", to: "" }}
        next={null}
      />
    ),
  };
};

/** Hostile texts: tags, handlers, quotes that end an attribute, and great length. */
export const hostile: Say = (text) =>
  `${text}"'><script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)" onclick='x'>&lt;b&gt; ${"W".repeat(60)}`;

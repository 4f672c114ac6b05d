import { describe, expect, test } from "bun:test";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import { sendDueNotices } from "../../src/notices/send-due.ts";
import { enqueueLeftovers } from "../../src/notices/enqueue.ts";
import { byOwner } from "../../src/logbook/caller.ts";
import { addTarget, testTarget } from "../../src/logbook/notices.ts";
import { inviteUser, makePasswordLink } from "../../src/people/password-links.ts";
import * as users from "../../src/storage/people/users.ts";
import { smtpUrl } from "../../src/kernel/setting-values.ts";
import { createMailer } from "../../src/kernel/mail.ts";
import { aCertificate } from "../support/certificate.ts";
import { aShellWithUsers } from "../support/qsolog.ts";
import { smtpServer } from "../support/smtp.ts";
import { aUser, testWorld, type TestWorld } from "../support/world.ts";

const BASE = "https://log.example.org/radio";

const aWorldWithMail = async () => {
  const { received, url } = await smtpServer();
  const env = { QSOLOG_SMTP_URL: url, QSOLOG_MAIL_FROM: "qsolog <log@example.org>", QSOLOG_BASE_URL: BASE };
  const world = await testWorld({ env });
  return { world, received };
};

/** The text of a message, without the line breaks of quoted-printable. */
const textOf = (data: string): string =>
  data.split("\n\n").slice(1).join("\n\n").replaceAll("=\n", "").replaceAll("=3D", "=");

const aBobWithMail = async (world: TestWorld) => {
  const bob = await aUser(world, "bob");
  await world.db.write(() => users.setProfile(bob.id, null, "bob@example.org"));
  return bob;
};

test("an invitation and a password link are mailed to the user", async () => {
  const { world, received } = await aWorldWithMail();

  const invited = await inviteUser(world, OPERATOR, { username: "eve", callsign: null, email: "eve@example.org" });
  const again = await makePasswordLink(world, OPERATOR, "eve");

  expect(invited.mailedTo).toBe("eve@example.org");
  expect(received).toHaveLength(2);
  expect(received[1]).toMatchObject({ from: "log@example.org", to: ["eve@example.org"], login: "qsolog:sécret" });
  expect(received[1]!.data).toContain("Subject: Set your qsolog password");
  expect(textOf(received[1]!.data)).toContain(`${BASE}/password?token=${again.token}`);
});

test("a refused message, or none at all without a mail server, leaves the link with the administrator", async () => {
  const { world, received } = await aWorldWithMail();
  const without = await testWorld();
  const eve = { username: "eve", callsign: null, email: "eve@refused.example" };

  const refused = await inviteUser(world, OPERATOR, eve);
  const today = await inviteUser(without, OPERATOR, eve);

  expect([refused.mailedTo, today.mailedTo, received.length]).toEqual([undefined, undefined, 0]);
  expect(refused.token).toHaveLength(32);
});

test("notifications go to the user's own address, and to no other", async () => {
  const { world, received } = await aWorldWithMail();
  const bob = await aBobWithMail(world);
  const mailTo = (url: string) => addTarget(world, byOwner(bob), { kind: "mail", url, events: ["leftovers"] });

  await expect(mailTo("eve@example.org")).rejects.toThrow("Enter the e-mail address of your profile.");
  const target = await mailTo("bob@example.org");
  await testTarget(world, byOwner(bob), target.id);
  await world.db.write(() => enqueueLeftovers({ id: 7, userId: bob.id, source: "first" }, 3, world.clock()));
  const { sent } = await sendDueNotices(world);

  expect([target.host, sent]).toEqual(["example.org", 1]);
  expect(received.map(({ to }) => to)).toEqual([["bob@example.org"], ["bob@example.org"]]);
  expect(received[1]!.data).toContain("Subject: LoTW: 3 records unresolved");
  expect(textOf(received[1]!.data)).toContain(`${BASE}/jobs/7`);
});

test("a mail target is refused by a server that sends no mail", async () => {
  const world = await testWorld();
  const bob = await aBobWithMail(world);

  const adding = addTarget(world, byOwner(bob), { kind: "mail", url: "bob@example.org", events: ["leftovers"] });

  await expect(adding).rejects.toThrow("This server sends no mail.");
});

describe.each(["start", "starttls"] as const)("a mail server that encrypts from %s", (from) => {
  test("gets password and message encrypted, if its authority is trusted", async () => {
    const { certificate, authorityFile } = aCertificate();
    const { received, url } = await smtpServer({ ...certificate, from });
    const qsolog = await aShellWithUsers();
    const env = { QSOLOG_SMTP_URL: url, QSOLOG_MAIL_FROM: "log@example.org", QSOLOG_BASE_URL: BASE };
    const invite = ["user", "invite", "eve", "--email", "eve@example.org"];

    const { code, err } = await qsolog(invite, { env: { ...env, NODE_EXTRA_CA_CERTS: authorityFile } });

    expect([code, err]).toEqual([0, expect.stringContaining("qsolog mailed this link to eve@example.org.")]);
    expect(received).toMatchObject([{ to: ["eve@example.org"], login: "qsolog:sécret", isEncrypted: true }]);
  }, 20_000);

  test("gets nothing if its certificate is not trusted, and the message says why", async () => {
    const { received, url } = await smtpServer({ ...aCertificate().certificate, from });
    const send = createMailer(url, "log@example.org");

    const sent = send({ to: "eve@example.org", subject: "Hello", text: "Hello" });

    await expect(sent).rejects.toThrow(
      "qsolog does not trust the certificate of the mail server 127.0.0.1: unable to verify the first certificate. No message was sent.",
    );
    expect(received).toEqual([]);
  });
});

test("no password is sent to a mail server elsewhere that does not encrypt", async () => {
  const { received, url } = await smtpServer();
  const elsewhere = new URL(smtpUrl("smtp://qsolog:secret@mail.example.org"));
  const send = createMailer(url + elsewhere.search, "log@example.org");

  await expect(send({ to: "eve@example.org", subject: "Hello", text: "Hello" })).rejects.toThrow("STARTTLS");
  expect(received).toEqual([]);
});

// Makes a Debian package of an executable. Needs dpkg-deb.
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

const ROOT = join(import.meta.dir, "..");

export interface DebianPackage {
  executable: string;
  version: string;
  /** Debian's name of the architecture. */
  architecture: "amd64" | "arm64";
  manualPage: string;
  changelog: string;
  completions: { bash: string; zsh: string; fish: string };
  outfile: string;
}

const UNITS = ["qsolog.service", "qsolog@.service", "qsolog-backup.service", "qsolog-backup.timer"];

const CONTROL = ({ version, architecture }: DebianPackage, kilobytes: number): string => `Package: qsolog
Version: ${version.replace("-", "~")}
Architecture: ${architecture}
Maintainer: The qsolog maintainers
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.31)
Recommends: systemd, logrotate
Section: hamradio
Priority: optional
Description: contact log service for radio amateurs
 A server, a command line and a terminal interface for the contacts of several
 radio amateurs. It downloads confirmations from LoTW and QRZ, and counts awards.
`;

/** The server starts at once, and restarts with the new program after an upgrade. Another root has no running systemd. */
const AFTER_INSTALL = `#!/bin/sh
set -e
if [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
  systemd-sysusers /usr/lib/sysusers.d/qsolog.conf
  systemctl daemon-reload
  if [ "$1" = configure ] && [ -z "$2" ]; then
    systemctl enable --now qsolog.service qsolog-backup.timer
  else
    systemctl try-restart 'qsolog.service' 'qsolog@*.service'
  fi
fi
`;

const BEFORE_REMOVAL = `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
  systemctl disable --now qsolog.service qsolog-backup.timer
  systemctl stop 'qsolog@*.service'
fi
`;

const AFTER_REMOVAL = `#!/bin/sh
set -e
if [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
`;

/** The log and its backups in /var/lib stay, even when the package is purged. */
export const buildDebianPackage = (order: DebianPackage): void => {
  const tree = `${order.outfile}.tree`;
  rmSync(tree, { recursive: true, force: true });
  const put = (path: string, contents: string | Uint8Array, mode = 0o644): void => {
    mkdirSync(dirname(join(tree, path)), { recursive: true, mode: 0o755 });
    writeFileSync(join(tree, path), contents);
    chmodSync(join(tree, path), mode);
  };
  const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

  put("usr/bin/qsolog", "");
  cpSync(order.executable, join(tree, "usr/bin/qsolog"));
  chmodSync(join(tree, "usr/bin/qsolog"), 0o755);
  put("usr/lib/qsolog/backup.sh", read("deploy/backup.sh"), 0o755);
  put("usr/lib/sysusers.d/qsolog.conf", read("deploy/systemd/qsolog.sysusers.conf"));
  for (const unit of UNITS) put(`usr/lib/systemd/system/${unit}`, moveToUsr(read(`deploy/systemd/${unit}`)));
  put("usr/lib/systemd/user/qsolog-listen.service", moveToUsr(read("deploy/systemd/user/qsolog-listen.service")));
  put("etc/logrotate.d/qsolog", read("deploy/logrotate.conf"));
  put("usr/share/man/man1/qsolog.1.gz", gzipSync(order.manualPage));
  put("usr/share/bash-completion/completions/qsolog", order.completions.bash);
  put("usr/share/zsh/vendor-completions/_qsolog", order.completions.zsh);
  put("usr/share/fish/vendor_completions.d/qsolog.fish", order.completions.fish);
  put("usr/share/doc/qsolog/copyright", read("LICENSE"));
  put("usr/share/doc/qsolog/changelog.gz", gzipSync(order.changelog));

  put("DEBIAN/control", CONTROL(order, Math.ceil(Bun.file(order.executable).size / 1024)));
  put("DEBIAN/conffiles", "/etc/logrotate.d/qsolog\n");
  put("DEBIAN/postinst", AFTER_INSTALL, 0o755);
  put("DEBIAN/prerm", BEFORE_REMOVAL, 0o755);
  put("DEBIAN/postrm", AFTER_REMOVAL, 0o755);
  const made = Bun.spawnSync(["dpkg-deb", "--root-owner-group", "-Zgzip", "--build", tree, order.outfile]);
  if (made.exitCode !== 0) throw new Error(`dpkg-deb could not make ${order.outfile}: ${made.stderr.toString()}`);
  rmSync(tree, { recursive: true });
};

/** Packages do not install into /usr/local. */
const moveToUsr = (unit: string): string =>
  unit
    .replace(/^# \/etc\/systemd\/(system|user)\//, "# /usr/lib/systemd/$1/")
    .replaceAll("/usr/local/bin/", "/usr/bin/")
    .replaceAll("/usr/local/lib/", "/usr/lib/");

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aDirectory } from "./directory.ts";

export interface Certificate {
  key: Buffer;
  cert: Buffer;
}

/** A certificate for localhost and 127.0.0.1, and the file of the authority that signed it, which nobody trusts yet. */
export const aCertificate = (): { certificate: Certificate; authorityFile: string } => {
  const folder = aDirectory();
  const openssl = (...words: string[]): void => {
    const { exitCode, stderr } = Bun.spawnSync(["openssl", ...words], { cwd: folder });
    if (exitCode !== 0) throw new Error(`openssl ${words.join(" ")}: ${stderr.toString()}`);
  };
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl("req", "-x509", ...key, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Test authority", "-days", "2");
  openssl("req", ...key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost");
  writeFileSync(join(folder, "names"), "subjectAltName=DNS:localhost,IP:127.0.0.1");
  const signer = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names", "-days", "2"];
  openssl("x509", "-req", "-in", "server.csr", "-out", "server.pem", ...signer);
  const read = (name: string) => readFileSync(join(folder, name));
  return { certificate: { key: read("server.key"), cert: read("server.pem") }, authorityFile: join(folder, "ca.pem") };
};

// Records a HAR: `node polly.mjs URL FILE`, with the requests to send as JSON on standard input.
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { Polly } from "@pollyjs/core";
import Adapter from "@pollyjs/adapter-node-http";
import Persister from "@pollyjs/persister-fs";

Polly.register(Adapter);
Polly.register(Persister);
const [url, file] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "polly-"));
const polly = new Polly("talk", {
  adapters: ["node-http"],
  persister: "fs",
  persisterOptions: { fs: { recordingsDir: folder } },
  recordFailedRequests: true,
  recordIfMissing: true,
  logLevel: "silent",
});
for (const [asked, body] of JSON.parse(fs.readFileSync(0, "utf8"))) {
  await new Promise((done) => {
    const headers = { "content-type": "application/json" };
    const request = http.request(url + asked, { method: "POST", headers }, (reply) => reply.on("end", done).resume());
    request.end(JSON.stringify(body));
  });
}
await polly.stop();
const [recording] = fs.readdirSync(folder);
fs.copyFileSync(path.join(folder, recording, "recording.har"), file);
fs.rmSync(folder, { recursive: true });
process.exit(0);

// Records what nock sees: `node nock.mjs URL FILE`, with the requests to send as JSON on standard input.
import fs from "node:fs";
import http from "node:http";
import nock from "nock";

const [url, file] = process.argv.slice(2);
nock.recorder.rec({ output_objects: true, dont_print: true, enable_reqheaders_recording: true });
for (const [path, body] of JSON.parse(fs.readFileSync(0, "utf8"))) {
  await new Promise((done) => {
    const headers = { "content-type": "application/json" };
    const asked = http.request(url + path, { method: "POST", headers }, (reply) => reply.on("end", done).resume());
    asked.end(JSON.stringify(body));
  });
}
await new Promise((done) => setTimeout(done, 200)); // it writes an exchange after its end
fs.writeFileSync(file, JSON.stringify(nock.recorder.play(), null, 2));
process.exit(0);

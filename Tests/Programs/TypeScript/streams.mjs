// Follows streams of a server of GymRats with the scripts of docs/gymrats/browsers.md, over connections that break.
//
// usage: node streams.mjs ADDRESS TOKEN, after gymrats.ts has created the group.
import { follow } from "./page/stream.js";
import { followWithTickets } from "./page/tickets.js";

const [address, token] = process.argv.slice(2);
const path = "/v1/groups/typescript/boards/check-ins/stream";
const network = globalThis.fetch;
// The requests for streams, each with `cut()`, which breaks the connection, and with `late()`, which adds an event.
const requests = [];
const late = new TextEncoder().encode("event: late\ndata: {}\n\n");

// A page has the origin of the API, and node has no origin.
globalThis.fetch = async (url, { signal, ...options } = {}) => {
  const broken = new AbortController();
  const request = { url, headers: options.headers, cut: () => broken.abort() };
  const isStream = url.includes("/stream?") || url.endsWith("/stream");
  if (isStream) requests.push(request);
  const response = await network(address + url,
    { ...options, signal: AbortSignal.any([broken.signal, signal ?? broken.signal]) });
  if (!isStream) return response;
  const events = new TransformStream({ start: (body) => { request.late = () => body.enqueue(late); } });
  response.body.pipeTo(events.writable).catch(() => {});
  return new Response(events.readable, { status: response.status, headers: response.headers });
};

// Node 20 has no EventSource. A browser's EventSource also reports errors with onerror.
globalThis.EventSource = class extends EventTarget {
  closed = new AbortController();
  constructor(url) {
    super();
    this.read(url).catch(() => {}).then(() => this.closed.signal.aborted || this.onerror());
  }
  async read(url) {
    const response = await fetch(url, { signal: this.closed.signal });
    let text = "";
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + part).split("\n\n");
      text = blocks.pop();
      for (const block of blocks) {
        const { id, event, data } = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/, 2)));
        if (event) this.dispatchEvent(Object.assign(new Event(event), { data }));
        else if (data) this.onmessage({ lastEventId: id, data });
      }
    }
  }
  close() { this.closed.abort(); }
};

async function until(what, condition) {
  for (let i = 0; i < 200; i++) {
    if (condition()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`gave up after 20 s: ${what}: ${JSON.stringify(requests)}`);
}

const expect = (condition, what) => { if (!condition) throw new Error(`unexpected: ${what}`); };
const asked = [];
const states = { fetch: [], tickets: [] };
const lates = [];
const ends = {};
const following = (async () => {
  // The server refuses the first token.
  const tokens = async (refused) => asked.push(refused) > 1 ? token : "x.y.z";
  const onLate = () => lates.push("fetch");
  for await (const state of follow(path, tokens, { onLate })) states.fetch.push(state);
})().catch((end) => { ends.fetch = end.code; });
await until("the first board", () => states.fetch.length === 1);
expect(asked[0] === undefined && asked[1] === "x.y.z", `tokens ${asked}`);
followWithTickets(path, async () => token, (state) => states.tickets.push(state),
  { onLate: () => lates.push("tickets"), onEnd: (end) => { ends.tickets = end.code; } });
await until("the first board with a ticket", () => states.tickets.length === 1);
for (const { challenge, entries } of [states.fetch[0], states.tickets[0]]) {
  expect(challenge.groupId === "typescript" && entries.length === 0, JSON.stringify(challenge));
}

// Both connect again with the id of the last event, so the server does not send the same board again.
const before = requests.length;
for (const request of requests) request.cut();
await until("two more connections", () => requests.length === before + 2);
const [again, reopened] = requests.slice(before).sort((a, b) => a.url.length - b.url.length);
expect(again.headers["Last-Event-ID"], JSON.stringify(again));
expect(new URLSearchParams(reopened.url.split("?")[1]).get("lastEventId"), reopened.url);
await new Promise((done) => setTimeout(done, 1000));
expect(states.fetch.length === 1 && states.tickets.length === 1, "a board was sent twice");

// After the event `late`, both connect again without an id, so the server sends the current board.
for (const request of [again, reopened]) request.late();
await until("two late events", () => lates.length === 2);
for (const request of [again, reopened]) request.cut();
await until("the boards after the event", () => states.fetch.length === 2 && states.tickets.length === 2);
const fresh = requests.slice(before + 2);
expect(fresh.length === 2, JSON.stringify(fresh));
expect(fresh.every((request) => !request.headers?.["Last-Event-ID"] && !request.url.includes("lastEventId")),
  JSON.stringify(fresh));

const gone = await fetch("/v1/groups/typescript", { method: "DELETE", headers: { Authorization: `Bearer ${token}` } });
expect(gone.status === 204, gone.status);
await until("the ends", () => ends.fetch && ends.tickets);
expect(ends.fetch === "groupNotFound" && ends.tickets === "groupNotFound", JSON.stringify(ends));
await following;

// EventSource does not report the status 404, but the script does.
let refusal;
followWithTickets(path, async () => token, () => {}, { onEnd: (end) => { refusal = end.code; } });
await until("the refusal", () => refusal);
expect(refusal === "groupNotFound", refusal);
console.log("gymrats: followed a board with fetch and with tickets, over broken connections");
process.exit(0);

// The page of `gymrats demo`: a phone that calls the documented HTTP API of GymRats. The only other
// request is POST /demo/token, which stands for the sign-in at an identity provider.
"use strict";

// MARK: What the phone stores

const key = "gymrats-demo";
const element = (id) => document.getElementById(id);

function stored() {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {};
  }
}

/** Changes some values. The stored values are read again, because another tab may have changed them. */
function store(change) {
  localStorage.setItem(key, JSON.stringify({ ...stored(), ...change }));
}

const workouts = () => stored().workouts ?? [];
/** The signed-in user's workouts that the API has not answered yet, oldest first. */
const waiting = () => workouts().filter((one) => !one.result && one.person === stored().person);

// MARK: Calls

/** An error of the API, with its code. */
class Refusal extends Error {
  constructor(status, code, text) {
    super(text);
    Object.assign(this, { status, code });
  }

  /** Whether the same call can succeed later. */
  get isTemporary() {
    return this.code === "networkUnavailable" || this.status >= 500;
  }
}

async function checked(response) {
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw new Refusal(response.status, body.code ?? "", body.error ?? `Status ${response.status}.`);
}

async function read(response) {
  return (await checked(response)).json();
}

function post(path, body, token) {
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  return fetch(path, { method: "POST", headers, body: JSON.stringify(body), cache: "no-store" });
}

/** Calls the API as the signed-in user, and once again with a new access token after a 401. */
async function call(method, path, { body, headers = {}, signal } = {}) {
  const { person } = stored();
  for (let isRepeated = false; ; isRepeated = true) {
    const token = stored().access;
    const sent = { ...headers, Authorization: `Bearer ${token}` };
    if (body) sent["Content-Type"] = "application/json";
    const response = await fetch(path, {
      method, headers: sent, body: body && JSON.stringify(body), signal, cache: "no-store",
    });
    if (response.status !== 401 || isRepeated || !(await renewed(token))) {
      return checked(response);
    }
    // The call of one user must not be repeated with the token of another user.
    if (stored().person !== person) return checked(response);
  }
}

let renewal = null;

/** Replaces an access token. The result is false if the session has ended. */
function renewed(token) {
  if (stored().access !== token) return true;
  renewal ??= renew().finally(() => { renewal = null; });
  return renewal;
}

async function renew() {
  const { refresh } = stored();
  if (!refresh) return false;
  const response = await post("/v1/session/refresh", { refreshToken: refresh });
  const session = response.status === 401 ? null : await read(response);
  // Meanwhile, another tab may have renewed the session, or another user may have signed in.
  if (stored().refresh !== refresh) return true;
  if (!session) {
    leave();
    tell("Your session has ended. Sign in again.");
    return false;
  }
  keep(session);
  return true;
}

const keep = (session) => store({ access: session.accessToken, refresh: session.refreshToken });

// MARK: Sign-in and joining

async function signIn(person) {
  const { token } = await read(await post("/demo/token", { user: person }));
  const session = await read(await post("/v1/session", { device: "demo page" }, token));
  keep(session);
  store({ person, user: session.user.id, group: session.user.currentGroupId ?? null });
  await show();
}

/** Forgets the user, but keeps the workouts that wait, which belong to the user. */
function leave() {
  following?.abort();
  following = null;
  store({ person: null, user: null, access: null, refresh: null, group: null });
  show();
}

/** The code in a link `http://.../#join=CODE`, or the text itself. */
const codeIn = (text) => text.trim().split("#join=").pop();

let offered = "";

async function preview(code) {
  offered = "";
  element("accept").hidden = true;
  if (!code) return;
  const body = { code };
  const found = await (await call("POST", "/v1/invite-codes/preview", { body })).json();
  offered = code;
  const members = found.memberCount === 1 ? "1 member" : `${found.memberCount} members`;
  element("preview").textContent = `${found.groupName} has ${members}.`;
  element("accept").hidden = false;
}

async function join() {
  const body = { code: offered };
  const group = await (await call("POST", "/v1/invite-codes/join", { body })).json();
  store({ group: group.id });
  history.replaceState(null, "", "/");
  await show();
}

async function invite() {
  const { group } = stored();
  const path = `/v1/groups/${encodeURIComponent(group)}/invites`;
  const made = await (await call("POST", path, { body: {} })).json();
  element("invitation").textContent = `${location.origin}/#join=${made.code}`;
  element("invitation").hidden = false;
}

// MARK: The board

let following = null;
let wake = () => {};

/** Follows the board of a group until the user leaves the page of the group. */
async function follow(group) {
  const own = (following = new AbortController());
  let last = "";
  while (following === own) {
    try {
      await readStream(group, own.signal, last, (id) => { last = id; });
    } catch (error) {
      if (following !== own) return;
      if (error instanceof Refusal && !error.isTemporary && error.status !== 401) {
        store({ group: null });
        tell(error.message);
        following = null;
        return show();
      }
    }
    if (following !== own) return;
    say(navigator.onLine ? "connecting" : "offline", true);
    await new Promise((resolve) => { wake = resolve; setTimeout(resolve, 2_000); });
  }
}

/** Reads one connection of the stream. The server sends a comment every 15 s, so 40 s are silence. */
async function readStream(group, signal, last, passed) {
  const connection = new AbortController();
  const end = () => connection.abort();
  let silence = setTimeout(end, 40_000);
  signal.addEventListener("abort", end);
  addEventListener("offline", end);
  try {
    const headers = { Accept: "text/event-stream" };
    if (last) headers["Last-Event-ID"] = last;
    const path = `/v1/groups/${encodeURIComponent(group)}/boards/check-ins/stream`;
    const response = await call("GET", path, { headers, signal: connection.signal });
    say("live");
    send();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    // After a pause, the server sends nothing if the board is still the last one.
    let isFirst = !last;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(end, 40_000);
      const events = (text + value).split("\n\n");
      text = events.pop();
      for (const event of events.map(fields)) {
        if (event.id) passed(event.id);
        if (event.event === "end") {
          const reason = JSON.parse(event.data);
          throw new Refusal(reason.code === "notAuthenticated" ? 401 : 403, reason.code, reason.error);
        }
        if (!event.event && event.data) {
          draw(JSON.parse(event.data), isFirst);
          isFirst = false;
        }
      }
    }
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", end);
    removeEventListener("offline", end);
    connection.abort();
  }
}

/** The fields of an event, each of which GymRats sends on one line. */
function fields(event) {
  const lines = event.split("\n").map((line) => line.split(/: ?(.*)/s));
  return Object.fromEntries(lines.map(([name, value]) => [name, value ?? ""]));
}

let values = new Map();

/** Shows a board, and how long ago the server recorded the newest change. */
function draw(board, isFirst) {
  const { user } = stored();
  const list = element("entries");
  list.replaceChildren();
  for (const entry of board.entries) {
    const isFresh = !isFirst && entry.value > (values.get(entry.id) ?? 0);
    const item = list.appendChild(document.createElement("li"));
    item.classList.toggle("fresh", isFresh);
    for (const [part, text] of [
      ["rank", `${entry.rank}.`], ["name", entry.displayName], ["value", `${entry.value}`],
    ]) {
      const span = item.appendChild(document.createElement("span"));
      span.className = part === "name" && entry.id === user ? "name own" : part;
      span.textContent = text;
    }
    if (isFresh) {
      const late = Math.max(0, Date.now() - Date.parse(entry.lastUpdated));
      element("arrival").textContent =
        `A workout of ${entry.displayName} reached this board after ${late} ms.`;
    }
  }
  values = new Map(board.entries.map((entry) => [entry.id, entry.value]));
}

// MARK: Workouts

/** Stores a workout with a new id, under which the API counts the workout once. */
function record() {
  const now = new Date();
  const workout = {
    id: crypto.randomUUID(), person: stored().person, at: now.toISOString(),
    offset: -now.getTimezoneOffset() * 60,
  };
  store({ workouts: [...workouts(), workout] });
  drawQueue();
  send();
}

let isSending = false;

/** Sends the waiting workouts. A workout without an answer is sent again under the same id. */
async function send() {
  if (isSending || !stored().access) return;
  isSending = true;
  try {
    for (let next; (next = waiting()[0]); ) {
      end(next, await answer(next));
      drawQueue();
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.isTemporary) setTimeout(send, 2_000);
  } finally {
    isSending = false;
    drawQueue();
  }
}

/** Returns the API's final answer about a workout, and throws an error if the workout must wait. */
async function answer(workout) {
  const body = { performedAt: workout.at, utcOffsetSeconds: workout.offset, revision: 0 };
  try {
    const path = `/v1/workouts/${workout.id}`;
    const { outcome, reason } = await (await call("PUT", path, { body })).json();
    return outcome === "accepted" ? "counted" : `${outcome}${reason ? ` (${reason})` : ""}`;
  } catch (error) {
    if (!(error instanceof Refusal) || error.isTemporary || error.status === 401) throw error;
    return `refused (${error.code})`;
  }
}

/** Stores the answer about a workout. Of the answered workouts, only the newest five are kept. */
function end(workout, result) {
  const all = workouts().map((one) => (one.id === workout.id ? { ...one, result } : one));
  const old = all.filter((one) => one.result).slice(0, -5);
  store({ workouts: all.filter((one) => !old.includes(one)) });
}

function drawQueue() {
  const own = workouts().filter((one) => one.person === stored().person);
  element("queue").replaceChildren(...own.reverse().map((one) => {
    const item = document.createElement("li");
    item.classList.toggle("waiting", !one.result);
    const time = new Date(one.at).toLocaleTimeString();
    item.textContent = `${time}: ${one.result ?? "waiting to be sent"}`;
    return item;
  }));
}

// MARK: The page

function say(state, isWarning = false) {
  element("state").textContent = state;
  element("state").classList.toggle("offline", isWarning);
}

function tell(problem) {
  element("problem").textContent = problem;
  element("problem").hidden = !problem;
}

const nameOf = (person) => person[0].toUpperCase() + person.slice(1);

async function show() {
  const { person, group } = stored();
  for (const [id, isShown] of [
    ["people", !person], ["join", person && !group], ["board", person && group],
    ["leave", person],
  ]) {
    element(id).hidden = !isShown;
  }
  element("invitation").hidden = true;
  drawQueue();
  if (!person) return say("not signed in");
  element("leave").textContent = `You are ${nameOf(person)}. Choose another user`;
  if (!group) {
    say("signed in");
    return preview(location.hash.startsWith("#join=") ? codeIn(location.hash) : "");
  }
  element("group").textContent = "This week";
  if (!following) {
    say("connecting");
    values = new Map();
    follow(group);
  }
}

/** Runs an action of the user, and shows its error. */
const acting = (action) => async (event) => {
  event.preventDefault();
  tell("");
  try {
    await action(event);
  } catch (error) {
    tell(error instanceof Refusal ? error.message : "The server cannot be reached.");
  }
};

for (const button of document.querySelectorAll("[data-person]")) {
  button.addEventListener("click", acting(() => signIn(button.dataset.person)));
}
element("code").addEventListener("submit", acting(() => preview(codeIn(element("link").value))));
element("accept").addEventListener("click", acting(join));
element("record").addEventListener("click", acting(record));
element("invite").addEventListener("click", acting(invite));
element("leave").addEventListener("click", acting(leave));
addEventListener("hashchange", acting(show));
addEventListener("online", () => { wake(); send(); });
addEventListener("offline", () => say("offline", true));
addEventListener("storage", drawQueue);
show().catch(() => tell("The server cannot be reached."));
send();

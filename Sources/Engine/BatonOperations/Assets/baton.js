// Refreshes a page automatically. All pages also work without this script.
"use strict";
(() => {
  // The minimum time between two refreshes, in milliseconds.
  const pause = 2000;
  // The minimum times for pages with a feed: after an event for the page's topic, and after an overview event.
  const heardPause = 500, unheardPause = 10000;
  // The interval of refreshes if the server sends no events.
  const poll = 4000;
  const away = document.getElementById("away");
  const content = document.getElementById("content");
  if (!away || !content || !content.hasAttribute("data-live")) return;

  // The feed and the topic of this page.
  const { feed, topic } = content.dataset;
  let busy = false, again = false, last = Date.now(), timer = null, due = 0, since = null;

  // Shows a message with the time since which the page is out of date, or hides the message.
  function say(why) {
    if (!why) since = null;
    else if (!since) since = new Date();
    away.textContent = why && `${why} The page shows the state at ${since.toLocaleTimeString()} and tries again.`;
    away.hidden = !why;
    document.documentElement.classList.toggle("stale", !!why);
  }

  // Makes the old node equal to the new node. Equal parts keep their nodes, and so their focus, selection and scrolling.
  function morph(old, now) {
    if (old.nodeType !== now.nodeType || old.nodeName !== now.nodeName) {
      old.replaceWith(document.importNode(now, true));
    } else if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.data !== now.data) old.data = now.data;
    } else if (!old.isEqualNode(now)) {
      morphAttributes(old, now);
      morphChildren(old, now);
    }
  }

  function morphAttributes(old, now) {
    for (const { name } of [...old.attributes]) {
      // Whether details are open is the reader's choice.
      if (!now.hasAttribute(name) && name !== "open") old.removeAttribute(name);
    }
    for (const { name, value } of now.attributes) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
  }

  function morphChildren(old, now) {
    const wanted = [...now.childNodes], there = [...old.childNodes];
    wanted.forEach((child, index) => {
      if (there[index]) morph(there[index], child);
      else old.append(document.importNode(child, true));
    });
    there.slice(wanted.length).forEach((child) => child.remove());
  }

  async function refresh() {
    timer = null;
    // A change during the request may be missing in the response.
    again = busy;
    if (busy || document.hidden) return;
    busy = true;
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" }, cache: "no-store" });
      // The session has ended: go to the login page.
      if (answer.redirected) return location.assign(answer.url);
      if (answer.status === 401) return location.reload();
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const now = page.getElementById("content");
      if (answer.status >= 500 || !now) {
        say("The database does not answer.");
      } else {
        morphChildren(content, now);
        say("");
      }
    } catch {
      say("This program does not answer.");
    } finally {
      busy = false;
      last = Date.now();
      if (again) soon(heardPause);
      again = false;
    }
  }

  // Schedules a refresh for the given time after the last refresh, unless an earlier refresh is already scheduled.
  function soon(within = pause) {
    const at = Math.max(Date.now(), last + within);
    if (timer !== null && due <= at) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(refresh, at - Date.now());
  }

  function ask() {
    setInterval(() => soon(), poll);
  }

  // Events only report that data has changed. To get the changed data, the script requests the page again.
  function listen(address) {
    const events = new EventSource(feed ? `${address}?${new URLSearchParams([[feed, topic]])}` : address);
    let isAsking = false;
    events.addEventListener("overview", () => soon(feed ? unheardPause : pause));
    if (feed) {
      events.addEventListener(feed, ({ data }) => {
        if (JSON.parse(data).includes(topic)) soon(heardPause);
      });
    }
    events.addEventListener("open", () => soon());
    events.addEventListener("error", () => {
      soon();
      if (events.readyState === EventSource.CLOSED && !isAsking) {
        isAsking = true;
        ask();
      }
    });
    addEventListener("pagehide", () => events.close());
  }

  document.addEventListener("visibilitychange", () => { if (!document.hidden) soon(); });
  const { events } = document.body.dataset;
  if (events) listen(events);
  else ask();
})();

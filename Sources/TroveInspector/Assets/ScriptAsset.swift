// The script.

#if Inspector
/// The script of all pages. All pages work without it.
enum ScriptAsset: Asset {
    static let path = "/script.js"
    static let mediaType = "text/javascript; charset=utf-8"
    static let text = """
        "use strict";

        const find = (selector) => document.querySelector(selector);
        const isTyping = (element) => element && element.matches("input, textarea, select");

        // Buttons that copy the text of another element.
        if (navigator.clipboard) {
          for (const button of document.querySelectorAll("[data-copies]")) {
            const name = button.textContent;
            button.hidden = false;
            button.addEventListener("click", async () => {
              await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
              button.textContent = "Copied";
              setTimeout(() => { button.textContent = name; }, 1500);
            });
          }
        }

        // Keys: "/" searches, "g t" leads to the types, "?" shows all keys.
        const pages = { t: "/", f: "/search", i: "/indexes", m: "/migrations", s: "/sql", h: "/history", l: "/live" };
        let isGoing = false;
        const showHelp = (isShown) => { find("#help").hidden = !isShown; };

        document.addEventListener("keydown", (event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) { return; }
          if (event.key === "Escape") {
            showHelp(false);
            if (isTyping(document.activeElement)) { document.activeElement.blur(); }
            return;
          }
          if (isTyping(event.target)) { return; }
          const going = isGoing;
          isGoing = false;
          if (going && pages[event.key]) {
            location.assign(pages[event.key]);
          } else if (event.key === "g") {
            isGoing = true;
          } else if (event.key === "/") {
            const field = find("[data-search]");
            if (field) { event.preventDefault(); field.focus(); field.select(); } else { location.assign("/search"); }
          } else if (event.key === "?") {
            showHelp(find("#help").hidden);
          } else if (event.key === "n" || event.key === "p") {
            const link = find(event.key === "n" ? "a[rel=next]" : "a[rel=prev]");
            if (link) { location.assign(link.href); }
          }
        });

        // The commits as they come. A hidden page has no stream: a browser has few for a server.
        const follow = (address, receive, tell = () => {}) => {
          let events = null;
          let words = "Waiting for commits.";
          const open = () => {
            events = new EventSource(address);
            events.onopen = () => { tell(words); receive(null); };
            events.onerror = () => {
              const isOver = events && events.readyState === EventSource.CLOSED;
              words = "Waiting for commits. Those while the connection was lost are not shown.";
              tell(isOver ? "There are no further commits. Load the page again." : "The connection is lost. Trying again.");
            };
            events.addEventListener("failure", (event) => { events.close(); tell(event.data); });
            events.onmessage = (event) => receive(JSON.parse(event.data));
          };
          document.addEventListener("visibilitychange", () => {
            if (document.hidden && events) {
              events.close();
              events = null;
            } else if (!document.hidden && !events) {
              words = "Waiting for commits. Those while the page was hidden are not shown.";
              open();
            }
          });
          if (!document.hidden) { open(); }
        };

        const commits = find("#commits");
        if (commits && window.EventSource) {
          const [state, pause] = [find("#live-state"), find("#pause")];
          const rowLimit = 500;
          let held = null;
          const add = (commit) => {
            const rows = commit.changes.map((change) => change.row).join("");
            const page = new DOMParser().parseFromString("<table><tbody>" + rows + "</table>", "text/html");
            for (const row of page.querySelectorAll("tr")) { row.classList.add("changed"); }
            commits.prepend(...page.querySelectorAll("tr"));
            while (commits.children.length > rowLimit) { commits.lastElementChild.remove(); }
          };
          pause.hidden = false;
          pause.addEventListener("click", () => {
            const commits = held;
            held = held ? null : [];
            pause.textContent = held ? "Go on" : "Pause";
            pause.setAttribute("aria-pressed", held ? "true" : "false");
            for (const commit of commits || []) { add(commit); }
          });
          follow(commits.dataset.events, (commit) => {
            if (!commit) { return; }
            if (!held) { return add(commit); }
            held.push(commit);
            held.splice(0, held.length - rowLimit);
          }, (text) => { state.textContent = text; });
        }

        // On the pages of a type and of a record, what has changed lights up once.
        const watching = find("[data-watches]");
        if (watching && window.EventSource) {
          const partsOf = (element) => [...element.querySelectorAll("tr[data-key], .fields > dd")];
          const name = (part, place) => part.dataset.key || "field " + place;
          const read = (element) => new Map(partsOf(element).map((part, place) => [name(part, place), part.outerHTML]));
          let known = read(watching);
          let timer = null;
          const refresh = async () => {
            timer = null;
            let response;
            try { response = await fetch(location.href); } catch { return; }
            if (response.status === 404) {
              const note = document.createElement("p");
              note.className = "error";
              note.textContent = "The record was removed.";
              return watching.replaceChildren(note);
            }
            if (!response.ok) { return; }
            const page = new DOMParser().parseFromString(await response.text(), "text/html");
            const fresh = page.querySelector("[data-watches]");
            if (!fresh) { return; }
            const now = read(fresh);
            watching.replaceChildren(...fresh.childNodes);
            partsOf(watching).forEach((part, place) => {
              const key = name(part, place);
              if (known.get(key) !== now.get(key)) { part.classList.add("changed"); }
            });
            known = now;
            const commit = page.querySelector("#commit");
            if (commit && find("#commit")) { find("#commit").textContent = commit.textContent; }
          };
          follow("/live/events?type=" + encodeURIComponent(watching.dataset.watches), () => {
            if (timer === null) { timer = setTimeout(refresh, 300); }
          });
        }

        // The plan of a filter is shown while it is typed, a moment after the last key.
        const filter = find("[data-plans]");
        if (filter) {
          const [plan, shown] = [find("#typed-plan"), filter.value];
          let [timer, request] = [null, null];
          const show = async () => {
            const typed = filter.value;
            if (typed.trim() === "" || typed === shown) { plan.hidden = true; return; }
            request = new AbortController();
            try {
              const address = filter.dataset.plans + "?filter=" + encodeURIComponent(typed.slice(0, 2001));
              const response = await fetch(address, { signal: request.signal });
              if (!response.ok) { return; }
              const part = new DOMParser().parseFromString(await response.text(), "text/html");
              if (typed !== filter.value) { return; }
              plan.replaceChildren(...part.body.childNodes);
              plan.hidden = false;
            } catch {}
          };
          filter.addEventListener("input", () => {
            clearTimeout(timer);
            if (request) { request.abort(); }
            timer = setTimeout(show, 200);
          });
        }

        // The statement runs by Ctrl-Enter, and is kept in the storage of this browser, the last 50 of them.
        const statement = find("[data-statement]");
        if (statement) {
          const kept = "trove.statements";
          const history = () => {
            try { return JSON.parse(localStorage.getItem(kept)) || []; } catch { return []; }
          };
          if (statement.dataset.statement === "run" && statement.value.trim() !== "") {
            const others = history().filter((text) => text !== statement.value);
            try { localStorage.setItem(kept, JSON.stringify([statement.value, ...others].slice(0, 50))); } catch {}
          }
          statement.addEventListener("keydown", (event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              statement.form.requestSubmit();
            }
          });
          const list = find("#history");
          const items = history();
          if (list && items.length > 0) {
            list.hidden = false;
            for (const text of items) {
              const item = document.createElement("li");
              const button = document.createElement("button");
              button.type = "button";
              button.textContent = text.length > 120 ? text.slice(0, 120) + "…" : text;
              button.addEventListener("click", () => { statement.value = text; statement.focus(); });
              item.append(button);
              list.querySelector("ul").append(item);
            }
          }
        }

        """
}
#endif

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
        const pages = { t: "/", f: "/search", i: "/indexes", m: "/migrations", s: "/sql" };
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

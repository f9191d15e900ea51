"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");

  // What a page from a file may keep differs from browser to browser; without it a theme lasts as long as the page.
  const kept = {
    read() {
      try { return localStorage.getItem("opspec-lint-theme"); } catch { return null; }
    },
    write(theme) {
      try { localStorage.setItem("opspec-lint-theme", theme); } catch { /* nothing is kept */ }
    },
  };
  if (["dark", "light"].includes(kept.read())) root.dataset.theme = kept.read();

  function turnTheme() {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    kept.write(root.dataset.theme);
  }

  document.addEventListener("DOMContentLoaded", () => {
    const byId = (id) => document.getElementById(id);
    const findings = JSON.parse(byId("data").textContent);
    const parts = new Map();
    const ops = new Map();
    const fields = ["q", "op", "rule", "team", "state"].map(byId).filter(Boolean);
    const levels = [...document.querySelectorAll("[data-level]")];
    const numbers = new Map();
    findings.forEach((finding, number) => {
      finding.element = byId(finding.id);
      const { op, kind, name, rule, message, people } = finding;
      finding.text = [op, kind, name, rule, message, people].join(" ").toLowerCase();
      finding.inOp = (op || "").toLowerCase();
      finding.shown = true;
      numbers.set(finding.id, number);
      finding.inside = group(ops, finding.element.closest(".op"));
      finding.inside.part = group(parts, finding.inside.element.closest(".part"));
    });
    let at = null;
    let timer = 0;
    let target = null;
    // Until somebody asks for something, notes do not stand between the errors and who reads them.
    const counted = (level) => findings.some((finding) => finding.state === "counts" && (finding.level === "note") === level);
    let quiet = counted(true) && counted(false);

    // What holds findings, with how many of them are shown: no filter has to look through the page again.
    function group(groups, element) {
      if (!groups.has(element)) groups.set(element, { element, count: 0, was: -1 });
      return groups.get(element);
    }

    // The height that the filters take of the window; in a narrow one they scroll away.
    function stuck() {
      const filters = byId("filters");
      return filters && getComputedStyle(filters).position === "sticky" ? filters.offsetHeight : 0;
    }

    const pressed = (button) => button.getAttribute("aria-pressed") === "true";
    const asked = () => ({
      ...Object.fromEntries(fields.map((field) => [field.id, field.type === "search" ? field.value.trim() : field.value])),
      level: levels.filter(pressed).map((button) => button.dataset.level).join(","),
    });

    function set(state) {
      for (const field of fields) {
        field.value = state[field.id] || "";
        if (field.selectedIndex === -1) field.value = ""; // an address can ask for what is no choice here
      }
      const wanted = (state.level || "").split(",");
      for (const button of levels) button.setAttribute("aria-pressed", String(wanted.includes(button.dataset.level)));
    }

    function fits(finding, state, words, wanted) {
      if (quiet && finding.level === "note" && finding.state === "counts") return false;
      if (wanted.length && !wanted.includes(finding.level)) return false;
      if (state.rule && finding.rule !== state.rule) return false;
      if (state.team && finding.review !== state.team) return false;
      if (state.state === "cleared" && finding.state === "counts") return false;
      if (state.state && state.state !== "cleared" && finding.state !== state.state) return false;
      if (state.op && !finding.inOp.includes(state.op.toLowerCase())) return false;
      return words.every((word) => finding.text.includes(word));
    }

    function filter() {
      if (!fields.length) return;
      const state = asked();
      const words = (state.q || "").toLowerCase().split(/\s+/).filter(Boolean);
      const wanted = state.level ? state.level.split(",") : [];
      // A level is asked for as the numbers at the top are counted: without what is waived or approved.
      if (wanted.length && !state.state) state.state = "counts";
      let count = 0;
      for (const each of [...ops.values(), ...parts.values()]) each.count = 0;
      for (const finding of findings) {
        const shown = fits(finding, state, words, wanted);
        if (shown !== finding.shown) finding.element.hidden = !shown;
        finding.shown = shown;
        finding.inside.count += shown;
        finding.inside.part.count += shown;
        count += shown;
      }
      for (const op of ops.values()) {
        if (op.count === op.was) continue;
        op.element.hidden = op.count === 0;
        op.element.firstElementChild.lastElementChild.textContent = String(op.count);
        op.was = op.count;
      }
      for (const part of parts.values()) part.element.hidden = part.count === 0;
      if (at && !findings[numbers.get(at)].shown) mark(null);
      byId("shown").textContent = count < findings.length ? `${count} of ${findings.length}`
        : count === 1 ? "1 finding" : `${count} findings`;
      say();
      byId("nothing").hidden = count > 0;
      byId("reset").disabled = !quiet && !Object.values(state).some(Boolean);
      byId("quiet").hidden = !quiet;
    }

    const allOpen = () => findings.every((finding) => finding.element.open || !finding.shown);

    function say() {
      byId("unfold").textContent = allOpen() ? "Close all" : "Open all";
    }

    function address() {
      const state = Object.entries(asked()).filter(([, value]) => value);
      if (at && !state.length) return `#${at}`;
      if (at) state.push(["at", at]);
      return `#${new URLSearchParams(state)}`;
    }

    function note() {
      const hash = address();
      if (hash !== location.hash) history.replaceState(null, "", hash === "#" ? location.pathname + location.search : hash);
    }

    function changed() {
      quiet = false;
      filter();
      note();
    }

    // Scroll until an element stays in its place for three frames. Findings near the screen are laid out only when they
    // come close to it (`content-visibility`), and then move all that follows them.
    function bring(element, block) {
      let top, still = 0, frames = 20;
      target = element;
      const scroll = () => {
        if (target !== element) return;
        still = element.getBoundingClientRect().top === top ? still + 1 : 0;
        element.scrollIntoView({ block });
        top = element.getBoundingClientRect().top;
        if (still < 3 && frames--) requestAnimationFrame(scroll);
      };
      scroll();
    }

    function go(element, focus) {
      for (let each = element; each; each = each.parentElement) each.hidden = false;
      if (element.tagName === "DETAILS") element.open = true;
      bring(element, "start");
      if (focus) element.querySelector("summary").focus({ preventScroll: true });
    }

    function mark(id) {
      document.querySelector(".finding.at")?.classList.remove("at");
      at = id;
      if (id) byId(id).classList.add("at");
    }

    function follow() {
      const hash = location.hash.slice(1);
      if (hash) quiet = false;
      if (numbers.has(hash)) {
        if (!findings[numbers.get(hash)].shown) set({});
        mark(hash);
        filter();
        go(byId(hash), true);
        return;
      }
      const place = hash && byId(hash);
      if (place && main.contains(place)) {
        go(place, false);
        return;
      }
      const state = Object.fromEntries(new URLSearchParams(hash));
      set(state);
      mark(numbers.has(state.at) ? state.at : null);
      filter();
      if (at) go(byId(at), true);
      else if (Object.values(asked()).some(Boolean)) byId("filters").scrollIntoView({ block: "start" });
    }

    // The first finding that can be seen below the filters, undefined where there is none.
    function inSight() {
      for (let y = stuck() + 8; y < innerHeight; y += 16) {
        const found = document.elementFromPoint(innerWidth / 2, y)?.closest(".finding");
        if (found) return found.id;
      }
      return undefined;
    }

    function step(by) {
      const shown = findings.filter((finding) => finding.shown);
      if (!shown.length) return;
      const index = shown.indexOf(findings[numbers.get(document.activeElement.closest(".finding")?.id || at)]);
      const begin = Math.max(shown.indexOf(findings[numbers.get(inSight())]), 0);
      const next = index < 0 ? begin : Math.min(Math.max(index + by, 0), shown.length - 1);
      mark(shown[next].id);
      const summary = shown[next].element.querySelector("summary");
      summary.focus({ preventScroll: true });
      bring(summary, "nearest");
    }

    function unfold() {
      const open = !allOpen();
      for (const finding of findings) if (finding.shown) finding.element.open = open;
    }

    function reset() {
      set({});
      mark(null);
      changed();
    }

    function escape(target) {
      if (target.matches("input, select")) {
        if (target.value) {
          target.value = "";
          changed();
        }
        target.blur();
      } else {
        reset();
      }
    }

    const main = document.querySelector("main");
    const keys = {
      "/": () => { byId("q")?.focus(); byId("q")?.select(); },
      j: () => step(1),
      k: () => step(-1),
      e: unfold,
      t: turnTheme,
      "?": () => byId("help").showModal(),
    };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
      if (event.key === "Escape" && fields.length) {
        escape(event.target);
      } else if (Object.hasOwn(keys, event.key) && !event.target.matches("input, select")) {
        event.preventDefault();
        keys[event.key]();
      }
    });
    byId("theme").addEventListener("click", turnTheme);
    byId("keys").addEventListener("click", keys["?"]);
    for (const id of ["reset", "again", "all"]) byId(id)?.addEventListener("click", reset);
    byId("unfold")?.addEventListener("click", unfold);
    byId("filters")?.addEventListener("submit", (event) => event.preventDefault());
    for (const field of fields) {
      field.addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(changed, field.type === "search" ? 20 : 0);
      });
    }
    for (const button of levels) {
      button.addEventListener("click", () => {
        button.setAttribute("aria-pressed", String(!pressed(button)));
        changed();
      });
    }
    for (const button of document.querySelectorAll(".copy")) {
      button.hidden = !navigator.clipboard;
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(button.parentElement.querySelector(".patch").textContent);
        button.textContent = "copied";
      });
    }
    // Whatever opens a finding by hand makes it the one that the address names.
    main.addEventListener("click", (event) => {
      const finding = event.target.closest(".finding > summary")?.parentElement;
      if (!finding) return;
      mark(finding.open ? null : finding.id);
      note();
    });
    // A link to where the address is already changes nothing, but is meant.
    document.addEventListener("click", (event) => {
      if (event.target.closest("a")?.getAttribute("href") === location.hash) follow();
    });
    // One for all that are opened or closed at once.
    let told = 0;
    main.addEventListener("toggle", () => {
      cancelAnimationFrame(told);
      told = requestAnimationFrame(say);
    }, true);
    addEventListener("hashchange", follow);
    if (fields.length) new ResizeObserver(() => root.style.setProperty("--stuck", `${stuck()}px`)).observe(byId("filters"));
    filter();
    if (location.hash) {
      follow();
      // The browser's own way to the fragment ends when all is loaded, and takes the focus away.
      addEventListener("load", follow, { once: true });
    }
  });
})();

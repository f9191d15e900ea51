"use strict";
(() => {
  document.documentElement.classList.add("js");

  document.addEventListener("DOMContentLoaded", () => {
    const byId = (id) => document.getElementById(id);
    const most = 100;
    const boxes = JSON.parse(byId("data").textContent).flat().map(([id, label, op, ...names]) => (
      { id, label, op, names, text: [label, op, ...names].join("\n").toLowerCase() }
    ));
    let timer = 0;

    // Opens a box and all around it, and shows where it is.
    function go(id) {
      const target = id && byId(id);
      document.querySelectorAll(".at").forEach((each) => each.classList.remove("at"));
      if (!target) return;
      for (let each = target; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
      const facts = target.querySelector(":scope > .facts");
      if (facts) facts.open = true;
      target.classList.add("at");
      target.scrollIntoView({ block: "start" });
      (target.querySelector(":scope > summary") || target).focus({ preventScroll: true });
    }

    function result(box, words) {
      const item = document.createElement("li");
      const link = document.createElement("a");
      const hint = document.createElement("small");
      const name = box.names.find((each) => words.every((word) => each.toLowerCase().includes(word)));
      link.href = `#${box.id}`;
      link.textContent = name || box.label;
      hint.textContent = box.op;
      item.append(link, hint);
      return item;
    }

    function search() {
      const words = byId("q").value.toLowerCase().split(/\s+/).filter(Boolean);
      const found = words.length ? boxes.filter((box) => words.every((word) => box.text.includes(word))) : [];
      byId("found").replaceChildren(...found.slice(0, most).map((box) => result(box, words)));
      byId("shown").textContent = !words.length ? "" : found.length > most ? `${most} of ${found.length} boxes`
        : found.length === 1 ? "1 box" : `${found.length} boxes`;
    }

    // A drawing that is wider than the window begins where its first box is in the middle.
    function centre(around) {
      for (const wide of around.querySelectorAll(".wide")) {
        const first = wide.querySelector("a rect");
        if (!first || !wide.clientWidth || wide.scrollLeft) continue;
        const box = first.getBoundingClientRect();
        wide.scrollLeft = box.left + box.width / 2 - wide.getBoundingClientRect().left - wide.clientWidth / 2;
      }
    }

    byId("q").addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(search, 80);
    });
    byId("search").addEventListener("submit", (event) => event.preventDefault());
    byId("fold").addEventListener("click", () => {
      document.querySelectorAll("details[open]").forEach((each) => { each.open = false; });
    });
    document.addEventListener("toggle", (event) => centre(event.target), true);
    addEventListener("hashchange", () => go(location.hash.slice(1)));
    // A link to where the address already leads changes no address.
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a[href^='#']");
      if (link && link.getAttribute("href") === location.hash) go(location.hash.slice(1));
    });
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "/" && document.activeElement !== byId("q")) {
        event.preventDefault();
        byId("q").focus();
      } else if (event.key === "Escape") {
        byId("q").value = "";
        search();
        byId("q").blur();
      }
    });
    centre(document);
    go(location.hash.slice(1));
  });
})();

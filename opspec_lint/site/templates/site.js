"use strict";
document.documentElement.classList.add("js");
{
  const top = document.body.dataset.top;
  const field = document.getElementById("q");
  const box = document.getElementById("found");
  const known = [];
  const MOST = 40;
  const indexes = document.body.dataset.indexes.split(" ").filter(Boolean);
  let asked = false;
  let missing = indexes.length;
  let opensFirst = false;

  // Each script of search/ calls this with the pages of a framework.
  window.opspec = {
    know(framework, pages) {
      known.push({ framework, pages });
      show();
    },
  };

  function load() {
    if (asked) return;
    asked = true;
    for (const index of indexes) {
      const script = document.createElement("script");
      script.async = false; // pages that fit equally well are in the order of the frameworks, whichever arrives first
      script.src = top + index;
      script.addEventListener("load", arrived);
      script.addEventListener("error", arrived);
      document.head.append(script);
    }
  }

  function arrived() {
    missing -= 1;
    if (opensFirst) openFirst();
  }

  // The first page of all frameworks: a result that is shown while an index is missing may not be the best one.
  function openFirst() {
    opensFirst = missing > 0;
    if (!opensFirst) box.querySelector("a")?.click();
  }

  // How well a page fits: every word is in the name, in an argument, or is the framework. 0 is the best, -1 none.
  function fit(words, framework, [name, , ops]) {
    const lower = name.toLowerCase();
    let rank = 0;
    const notes = [];
    for (const word of words) {
      if (lower === word) continue;
      if (lower.startsWith(word)) rank += 1;
      else if (lower.includes(word)) rank += 2;
      else if (framework.toLowerCase().split(" ").some((part) => part.startsWith(word))) continue;
      else {
        const note = argument(word, ops);
        if (note === null) return null;
        notes.push(note);
        rank += 3;
      }
    }
    return { rank, notes };
  }

  function argument(word, ops) {
    let best = null;
    for (const [op, since, until, names] of ops) {
      for (const each of names) {
        const [name, from, gone] = typeof each === "string" ? [each, since, until] : each;
        const lower = name.toLowerCase();
        if (lower === word || (best === null && lower.startsWith(word))) {
          best = `${name} ${when(from, gone)}`;
          if (lower === word) return best;
        }
      }
    }
    return best;
  }

  function when(since, until) {
    return until ? `${since} until ${until}` : `since ${since}`;
  }

  // From the first release with any version of the op to the last one.
  function span(ops, since) {
    const last = ops.find(([, , until]) => !until) ?? ops[0];
    return when(since, last[2]);
  }

  function show() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [];
    if (words.length) {
      for (const { framework, pages } of known) {
        for (const page of pages) {
          const fits = fit(words, framework, page);
          if (fits) found.push({ framework, page, ...fits });
        }
      }
    }
    found.sort((a, b) => a.rank - b.rank || a.page[0].length - b.page[0].length || (a.page[0] < b.page[0] ? -1 : 1));
    box.replaceChildren(...found.slice(0, MOST).map(item));
    if (words.length && !found.length) box.textContent = known.length ? "Nothing found" : "Loading";
    if (found.length > MOST) box.append(`${found.length - MOST} more`);
    box.hidden = !words.length;
    field.setAttribute("aria-expanded", String(!box.hidden));
  }

  function item({ framework, page: [name, file, ops, since], notes }) {
    const link = document.createElement("a");
    link.href = top + file;
    link.setAttribute("role", "option");
    const code = document.createElement("code");
    code.textContent = name;
    const about = document.createElement("small");
    about.textContent = `${framework}, ${notes.length ? notes.join(", ") : span(ops, since)}`;
    link.append(code, " ", about);
    return link;
  }

  function move(step) {
    const links = [...box.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement) + step;
    (links[at] ?? field).focus();
  }

  // An address such as index.html#op=onnx/Resize, to which other pages link, leads to the page of the op.
  function follow() {
    const named = /^#op=([^/]+)[/](.+)$/.exec(location.hash);
    if (!named) return;
    const [framework, op] = named.slice(1).map(decoded);
    const index = indexes.find((each) => each === `search/${framework}.js`);
    const searchInstead = () => {
      field.value = op;
      load();
      show();
      field.focus();
    };
    if (!index) return searchInstead();
    const script = document.createElement("script");
    script.src = top + index;
    script.addEventListener("load", () => {
      const { pages } = known.pop();
      const page = pages.find(([, , ops]) => ops.some(([name]) => name === op)) ?? pages.find(([name]) => name === op);
      if (page) location.replace(top + page[1]);
      else searchInstead();
    });
    document.head.append(script);
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  follow();
  addEventListener("hashchange", follow);
  field.addEventListener("focus", load);
  field.addEventListener("input", () => {
    opensFirst = false;
    load();
    show();
  });
  document.addEventListener("keydown", (event) => {
    const isHere = event.target === field || box.contains(event.target);
    if (event.key === "/" && event.target !== field && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      field.focus();
    } else if (event.key === "Escape" && isHere) {
      field.value = "";
      show();
      field.focus();
    } else if (event.key === "ArrowDown" && isHere) {
      event.preventDefault();
      move(1);
    } else if (event.key === "ArrowUp" && isHere) {
      event.preventDefault();
      move(-1);
    } else if (event.key === "Enter" && event.target === field) {
      openFirst();
    }
  });
}

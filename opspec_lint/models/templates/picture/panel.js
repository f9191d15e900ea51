// The details of the selected item, beside the drawing. All texts are set as text: names in a model may be markup.
const ROLES = { input: "Inputs", weight: "Weights", output: "Outputs", attr: "Attrs", tensor: "Tensor", type: "Type" };

function html(name, attributes = {}, ...inner) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inner.filter((part) => part !== null && part !== ""));
  return made;
}

function showDetails(host, pane, item) {
  host.hidden = !item;
  if (!item) return host.replaceChildren();
  const { model } = pane;
  const { box } = item;
  const parts = [html("h2", {}, box.kind === "" ? box.op : model.title(box))];
  if (box.kind === "" && box.label && box.names.length === 1) parts.push(html("p", { class: "node-name" }, html("code", {}, box.names[0])));
  if (box.kind && box.kind !== "kin" && box.size) parts.push(html("p", {}, plural(box.size, "node")));
  if (model.isOpenable(box) && !item.isFrame) {
    const button = html("button", { type: "button" }, item.isOpen ? "Close" : "Open in place");
    button.addEventListener("click", () => pane.toggle(item));
    parts.push(html("p", {}, button));
  }
  parts.push(statePart(box), ...findingParts(model, box), ...factParts(model, box));
  parts.push(linkPart(model, "Takes from", (model.takes.get(box.number) || []).map((wire) => [wire[0], wire[3]])));
  parts.push(linkPart(model, "Gives to", (model.gives.get(box.number) || []).map((wire) => [wire[1], wire[3]])));
  parts.push(linkPart(model, "Runs", box.calls.map((graph) => [model.graphs[graph].box, ""])));
  parts.push(sitePart(model, box));
  if (box.names.length > 1) {
    const names = box.names.slice(0, 50).join("\n") + (box.names.length > 50 ? `\nand ${box.names.length - 50} more` : "");
    parts.push(html("h3", {}, plural(box.names.length, "node")), html("pre", {}, names));
  }
  host.replaceChildren(...parts.filter(Boolean));
  return host;
}

// Returns a link to the page of an op on a site of all ops, or the command that writes such a site.
function sitePart({ site, graphs }, { kind, op }) {
  if (!["", "kin"].includes(kind) || !op || graphs.some(({ label }) => label === op)) return null;
  const title = html("h3", {}, "In all releases");
  if (site.address === null) {
    return html("div", { class: "site" }, title, html("p", {}, "A page of this op: ", html("code", {}, site.command),
      ", and ", html("code", {}, "--site ops"), " for this page."));
  }
  const address = `${site.address}/index.html#op=${[site.framework, op].map(encodeURIComponent).join("/")}`;
  return html("div", { class: "site" }, title, html("p", {}, html("a", { href: address }, op)));
}

function findingParts(model, box) {
  const own = [...box.found].map((number) => model.findings[number]).filter(Boolean);
  if (!own.length) {
    const releases = model.releases.length > 3 ? `any of ${model.releases.length} releases` : model.releases.join(", ");
    return releases && !box.kind ? [html("p", { class: "fine" }, `No finding on this op under ${releases}.`)] : [];
  }
  // Releases often refuse a node for one and the same reason.
  const reasons = new Map();
  for (const finding of own) append(reasons, `${finding.level} ${finding.message} ${finding.advice}`, finding);
  const list = html("ul", { class: "reasons" });
  for (const findings of reasons.values()) {
    const [{ level, message, advice }] = findings;
    const links = findings.slice(0, 8).flatMap(({ id, release }) => [" ", html("a", { href: `#${id}` }, release)]);
    const more = findings.length > 8 ? ` and ${findings.length - 8} more` : "";
    list.append(html("li", { class: level }, html("b", {}, level), " ", message, ...links, more,
      html("p", {}, `Instead: ${advice}`)));
  }
  return [list];
}

function factParts(model, box) {
  const rows = [...box.facts];
  const other = box.twin && box.state ? factsByPlace(box.twin) : null;
  if (other) {
    const own = factsByPlace(rows);
    rows.push(...[...other].filter(([place]) => !own.has(place)).map(([, [role, name]]) => [role, name, "—"]));
  }
  const places = new Map([...factsByPlace(rows)].map(([place, fact]) => [fact, place]));
  return Object.entries(ROLES).flatMap(([role, title]) => {
    const group = rows.filter((fact) => fact[0] === role);
    if (!group.length) return [];
    const table = html("table", {});
    const isNamed = group.some(([, name]) => name);
    for (const fact of group) {
      const [, name, value] = fact;
      const before = other ? other.get(places.get(fact))?.[2] ?? "—" : value;
      const cell = html("td", {}, html("code", {}, value));
      if (before !== value) cell.append(html("del", { title: "in the other model" }, before));
      // Only a long name may be broken inside of a word.
      const heading = name ? html("th", { scope: "row", class: name.length > 24 ? "long" : "short" }, name)
        : isNamed ? html("td") : null;
      const row = html("tr", before !== value ? { class: "changed" } : {}, heading, cell);
      table.append(row);
    }
    return [html("h3", {}, title), table];
  });
}

// Returns facts by role, name, and their place among facts of the same role and name.
function factsByPlace(facts) {
  const counts = new Map();
  return new Map(facts.map((fact) => {
    const key = `${fact[0]} ${fact[1]}`;
    counts.set(key, (counts.get(key) || 0) + 1);
    return [`${key} ${counts.get(key)}`, fact];
  }));
}

// Says how a box differs from the other model.
function statePart({ state, names, differs }) {
  if (!state) return null;
  const some = differs.length < names.length ? `: ${differs.slice(0, 12).join(", ")}` : "";
  const said = { added: "Added: the first model has no such node.", removed: "Removed: the second model has no such node." };
  return html("p", { class: `state ${state}` }, said[state] || `Not equal in both models${some}.`);
}

function linkPart(model, title, ends) {
  if (!ends.length) return null;
  const list = html("ul", { class: "ends" });
  for (const [number, tensor] of ends.slice(0, 12)) {
    const box = model.boxes[number];
    const name = box.kind || !box.label ? "" : ` ${box.label}`;
    list.append(html("li", {}, html("a", { href: `#${encodeURIComponent(`${model.id}b${number}`)}` }, model.title(box) + name),
      tensor ? html("small", {}, ` ${tensor}`) : ""));
  }
  if (ends.length > 12) list.append(html("li", {}, `and ${ends.length - 12} more`));
  return html("div", {}, html("h3", {}, title), list);
}

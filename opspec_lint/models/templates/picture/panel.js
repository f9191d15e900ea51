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
  const parts = [html("h2", {}, model.title(box))];
  if (box.kind === "" && box.label && box.names.length === 1) parts.push(html("p", { class: "node-name" }, html("code", {}, box.names[0])));
  if (box.kind && box.kind !== "kin" && box.size) parts.push(html("p", {}, plural(box.size, "node")));
  if (model.isOpenable(box) && !item.isFrame) {
    const button = html("button", { type: "button" }, item.isOpen ? "Close" : "Open in place");
    button.addEventListener("click", () => pane.toggle(item));
    parts.push(html("p", {}, button));
  }
  parts.push(...findingParts(model, box), ...factParts(model, box));
  parts.push(linkPart(model, "Takes from", (model.takes.get(box.number) || []).map((wire) => [wire[0], wire[3]])));
  parts.push(linkPart(model, "Gives to", (model.gives.get(box.number) || []).map((wire) => [wire[1], wire[3]])));
  parts.push(linkPart(model, "Runs", box.calls.map((graph) => [model.graphs[graph].box, ""])));
  if (box.names.length > 1) {
    const names = box.names.slice(0, 50).join("\n") + (box.names.length > 50 ? `\nand ${box.names.length - 50} more` : "");
    parts.push(html("h3", {}, plural(box.names.length, "node")), html("pre", {}, names));
  }
  host.replaceChildren(...parts.filter(Boolean));
  return host;
}

function findingParts(model, box) {
  const own = [...box.found].map((number) => model.findings[number]).filter(Boolean);
  if (!own.length) {
    const releases = model.releases.join(", ");
    return releases && !box.kind ? [html("p", { class: "fine" }, `No finding on this op under ${releases}.`)] : [];
  }
  const list = html("ul", { class: "reasons" });
  for (const finding of own) {
    const link = html("a", { href: `#${finding.id}` }, finding.release);
    list.append(html("li", { class: finding.level }, html("b", {}, finding.level), " ", finding.message, " ", link,
      html("p", {}, `Instead: ${finding.advice}`)));
  }
  return [list];
}

function factParts(model, box) {
  const rows = [...box.facts];
  const key = ([role, name]) => `${role} ${name}`;
  const other = box.twin && box.state ? new Map(box.twin.map((fact) => [key(fact), fact[2]])) : null;
  if (other) {
    const own = new Set(rows.map(key));
    rows.push(...box.twin.filter((fact) => !own.has(key(fact))).map(([role, name]) => [role, name, "—"]));
  }
  return Object.entries(ROLES).flatMap(([role, title]) => {
    const group = rows.filter((fact) => fact[0] === role);
    if (!group.length) return [];
    const table = html("table", {});
    for (const fact of group) {
      const [, name, value] = fact;
      const before = other ? other.get(key(fact)) ?? "—" : value;
      const cell = html("td", {}, html("code", {}, value));
      if (before !== value) cell.append(html("del", { title: "in the other model" }, before));
      const row = html("tr", before !== value ? { class: "changed" } : {}, name ? html("th", { scope: "row" }, name) : html("td"), cell);
      table.append(row);
    }
    return [html("h3", {}, title), table];
  });
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

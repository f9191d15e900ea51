"use strict";
(() => {
  const form = document.getElementById("filter");
  if (!form) return;
  const [word, format, verdict] = ["word", "format", "verdict"].map((id) => document.getElementById(id));
  const rows = [...document.querySelectorAll("#models tbody tr")];
  const texts = rows.map((row) => (row.cells[0].textContent + " " + row.cells[4].textContent).toLowerCase());
  const apply = () => {
    const wanted = word.value.trim().toLowerCase();
    let count = 0;
    rows.forEach((row, at) => {
      const fits = texts[at].includes(wanted)
        && (!format.value || row.dataset.format === format.value)
        && (!verdict.value || row.dataset.verdicts.split(" ").includes(verdict.value));
      row.hidden = !fits;
      count += fits;
    });
    document.getElementById("shown").textContent = `${count} of ${rows.length} models`;
  };
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();
})();

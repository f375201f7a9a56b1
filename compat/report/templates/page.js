(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const root = document.documentElement;
  for (const element of document.querySelectorAll(".scripted")) element.hidden = false;

  // The theme: the system's, or what was chosen here before.
  const THEMES = ["system", "light", "dark"];
  const remember = (theme) => { try { localStorage.setItem("compat-theme", theme); } catch { /* not allowed here */ } };
  const recall = () => { try { return localStorage.getItem("compat-theme"); } catch { return null; } };
  const wear = (theme) => {
    if (theme === "system") delete root.dataset.theme; else root.dataset.theme = theme;
    byId("theme-name").textContent = theme;
  };
  let theme = THEMES.includes(recall()) ? recall() : "system";
  wear(theme);
  byId("theme").addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    wear(theme);
    remember(theme);
  });

  // The filter: what is not asked for is hidden, and a part of the page without anything left in it as well.
  const controls = byId("controls");
  const items = controls ? JSON.parse(byId("index").textContent) : [];
  const groups = new Map();
  for (const item of items) {
    item.element = byId(item.id);
    item.words = item.text.toLowerCase();
    item.shown = true;
    item.part = item.element.closest("[data-group]");
    if (item.part) groups.set(item.part, 0);
  }
  const query = byId("query"), group = byId("group"), tag = byId("tag"), clear = byId("clear");
  const chips = controls ? [...controls.querySelectorAll("[data-kind]")] : [];
  const chosen = (select) => (select ? select.value : "");

  const filter = () => {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kinds = new Set(chips.filter((chip) => chip.ariaPressed === "true").map((chip) => chip.dataset.kind));
    const lineage = chosen(group), rule = chosen(tag);
    for (const part of groups.keys()) groups.set(part, 0);
    let count = 0;
    for (const item of items) {
      const fits = (!kinds.size || kinds.has(item.kind)) && (!lineage || item.group === lineage) &&
        (!rule || item.tags.includes(rule)) && words.every((word) => item.words.includes(word));
      if (fits !== item.shown) item.element.hidden = !fits;
      item.shown = fits;
      if (fits) {
        count += 1;
        if (item.part) groups.set(item.part, groups.get(item.part) + 1);
      }
    }
    for (const [part, left] of groups) part.hidden = left === 0;
    const told = byId("shown");
    const noun = items.length === 1 ? told.dataset.one : told.dataset.many;
    told.textContent = count === items.length ? `${count} ${noun}` : `${count} of ${items.length} ${noun}`;
    byId("nothing").hidden = count > 0;
    clear.hidden = !(words.length || kinds.size || lineage || rule);
  };
  const reset = () => {
    query.value = "";
    if (group) group.value = "";
    if (tag) tag.value = "";
    for (const chip of chips) chip.ariaPressed = "false";
    filter();
  };
  if (controls) {
    controls.addEventListener("submit", (event) => event.preventDefault());
    query.addEventListener("input", filter);
    for (const select of [group, tag]) if (select) select.addEventListener("change", filter);
    for (const chip of chips) chip.addEventListener("click", () => {
      chip.ariaPressed = chip.ariaPressed === "true" ? "false" : "true";
      filter();
    });
    clear.addEventListener("click", () => { reset(); query.focus(); });
    filter();
  }

  // Links into the page: what is linked to is shown and open, whatever the filter says.
  const handle = (element) => element.querySelector("summary") || element;
  const visit = () => {
    let name;
    try { name = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const target = name && byId(name);
    if (!target) return;
    if (controls && target.closest("[hidden]")) reset();
    const details = target.querySelector("details");
    if (target.matches(".item") && details) details.open = true;
    target.scrollIntoView({ block: "start" });
    if (target.matches(".item")) handle(target).focus({ preventScroll: true });
    else if (target.matches("section")) target.focus({ preventScroll: true });
  };
  addEventListener("hashchange", visit);
  // The browser goes there by itself once all is loaded, and takes the focus away again.
  addEventListener("load", () => requestAnimationFrame(visit));

  // The keyboard: j, k and the arrows go from one to the next, / searches, Escape clears.
  const go = (step) => {
    const shown = items.filter((item) => item.shown).map((item) => item.element);
    if (!shown.length) return;
    const here = shown.findIndex((element) => element.contains(document.activeElement));
    const next = here < 0 ? (step > 0 ? 0 : shown.length - 1) : Math.min(Math.max(here + step, 0), shown.length - 1);
    handle(shown[next]).focus({ preventScroll: true });
    shown[next].scrollIntoView({ block: "nearest" });
    if (shown[next].getBoundingClientRect().top < 0) shown[next].scrollIntoView({ block: "start" });
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const field = event.target.closest("input, select, textarea");
    const among = event.target.closest(".item");
    if (event.key === "Escape" && controls) {
      reset();
      if (field) field.blur();
    } else if (field) {
      return;
    } else if (event.key === "/" && controls) {
      query.focus();
      query.select();
    } else if (event.key === "j" || (event.key === "ArrowDown" && among)) {
      go(1);
    } else if (event.key === "k" || (event.key === "ArrowUp" && among)) {
      go(-1);
    } else {
      return;
    }
    event.preventDefault();
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest(".copy");
    if (!button) return;
    const code = button.parentElement.querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });

  // Paper shows what is folded.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const details of folded) details.open = true;
  });
  addEventListener("afterprint", () => { for (const details of folded) details.open = false; });
})();

// Buttons that copy: a text marked data-copy, and the address of the page. Without scripts the texts can be selected.
export function copies(root) {
  for (const text of root.querySelectorAll("[data-copy]")) {
    (text.closest("pre") || text).after(button("Copy", () => text.textContent, text));
  }
  for (const place of root.querySelectorAll("[data-copy-address]")) {
    place.replaceChildren(button("Copy link", () => location.href, place));
  }
}

function button(label, words, place) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "copy";
  made.textContent = label;
  made.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(words());
      made.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(place);
      made.textContent = "Selected: press Ctrl+C";
    }
    setTimeout(() => (made.textContent = label), 2500);
  });
  return made;
}

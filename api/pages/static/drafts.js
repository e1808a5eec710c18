// A button that copies the draft of a claim; without scripts the text of the draft can be selected.
for (const part of document.querySelectorAll("details.draft")) {
  const text = part.querySelector("code");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy the claim";
  button.addEventListener("click", () => copy(text, button));
  part.append(button);
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(text);
    button.textContent = "Selected: press Ctrl+C";
  }
}

// Streamlit sends what was typed when its box loses focus, a moment later. A quick click on another screen would overtake
// that message, and the message would then bring the old screen back. So a click that leaves right after a box lost
// focus waits until the text is on its way.

const SEND_MS = 200;

function guardLeaving() {
  if (window.leapnoteGuardsLeaving) return;
  window.leapnoteGuardsLeaving = true;
  let left = -Infinity;
  let passing = false;
  document.addEventListener("focusout", (event) => {
    if (event.target.matches && event.target.matches("textarea, input")) left = performance.now();
  }, true);
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[href]");
    if (passing || !link || link.origin !== window.location.origin || performance.now() - left > SEND_MS) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    setTimeout(() => {
      passing = true;
      link.click();
      passing = false;
    }, SEND_MS);
  }, true);
}

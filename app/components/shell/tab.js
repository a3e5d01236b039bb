// The name under which the server stores the values of this tab, so that a reload loses nothing. It lives as long as the tab.

const TAB = "leapnote_tab";

// What is typed reaches the server when its box loses the focus; a reload would come before that.
function sendTypedBeforeLeaving() {
  if (window.leapnoteSendsTyped) return;
  window.leapnoteSendsTyped = true;
  window.addEventListener("beforeunload", () => document.activeElement?.blur());
}

export default function ({ data, setTriggerValue }) {
  sendTypedBeforeLeaving();
  document.documentElement.lang = data.language;
  if (data.name) window.sessionStorage.setItem(TAB, data.name);
  else setTriggerValue("before", { name: window.sessionStorage.getItem(TAB) || "" });
}

// Sends the code of a login to the page's server, which then sets or removes the cookie. No script sees the login itself.

let sentCode = "";

export default function ({ data }) {
  if (!data.code || data.code === sentCode) return;
  const address = new URL(data.path, document.baseURI);
  if (address.origin !== window.location.origin) return; // the code goes to the page's own server alone
  sentCode = data.code;
  fetch(address, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code: data.code, secure: window.location.protocol === "https:" }),
  }).catch(() => {});
}

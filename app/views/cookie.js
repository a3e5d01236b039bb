// Keeps a login for this browser until it is closed. The server ends it by itself as well.

export default function ({ data }) {
  const parts = [`${data.name}=${encodeURIComponent(data.value)}`, "path=/", "samesite=strict"];
  if (!data.value) parts.push("max-age=0");
  if (window.location.protocol === "https:") parts.push("secure");
  document.cookie = parts.join("; ");
}

// How the page gets access: the server knows its own user, and other browsers by a cookie, which scripts cannot read. A login
// link ("#login=CODE") is exchanged for that cookie once, and removed from the address bar before.
const kLink = /^#login=([\w-]+)$/;

// Before anything else is requested. A problem is in loginProblem.
export async function takeLoginLink(): Promise<void> {
  const found = kLink.exec(location.hash);
  if (!found) return;
  history.replaceState(null, "", location.pathname + location.search);
  const response = await fetch("api/login", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code: found[1] }) });
  if (!response.ok) loginProblem = "This login link has expired or was already used";
}

export let loginProblem = "";

export async function logOut(): Promise<void> {
  await fetch("api/logout", { method: "POST" });
  location.reload();
}

// The token, if the server wants one: from "#access_token=..." of the address, which is then forgotten by the address bar.
const kKey = "oriel.token";

function takeFromAddress(): string {
  const found = /[#&?]access_token=([^&]*)/.exec(location.hash);
  if (!found) return "";
  history.replaceState(null, "", location.pathname + location.search);
  return decodeURIComponent(found[1]!);
}

export function readToken(): string | undefined {
  const given = takeFromAddress();
  try {
    if (given) localStorage.setItem(kKey, given);
    return given || localStorage.getItem(kKey) || undefined;
  } catch {
    return given || undefined; // storage is refused: for this page only
  }
}

export function keepToken(token: string): void {
  try {
    if (token) localStorage.setItem(kKey, token);
    else localStorage.removeItem(kKey);
  } catch {
    // Then it is asked for again.
  }
  location.reload();
}

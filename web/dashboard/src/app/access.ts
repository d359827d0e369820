// The token, if the server requires one. "#access_token=..." in the URL sets it and is removed from the address bar.
const kKey = "oriel.token";

function takeFromUrl(): string {
  const found = /[#&?]access_token=([^&]*)/.exec(location.hash);
  if (!found) return "";
  history.replaceState(null, "", location.pathname + location.search);
  return decodeURIComponent(found[1]!);
}

export function readToken(): string | undefined {
  const given = takeFromUrl();
  try {
    if (given) localStorage.setItem(kKey, given);
    return given || localStorage.getItem(kKey) || undefined;
  } catch {
    return given || undefined; // storage is blocked: valid for this page only
  }
}

export function storeToken(token: string): void {
  try {
    if (token) localStorage.setItem(kKey, token);
    else localStorage.removeItem(kKey);
  } catch {
    // Storage is blocked: the page asks again.
  }
  location.reload();
}

import { token } from "./store";

// For the requests that the client module does not make.
export function headersFor(): Headers {
  const headers = new Headers();
  if (token) headers.set("Authorization", `Bearer ${token}`);
  return headers;
}

// Where Oriel is, and who we are there.

import type { Address } from "./types";

export type Query = Record<string, string | number | boolean | string[] | undefined>;

const origin = (): string => {
  const here = globalThis.location?.origin;
  return here && here !== "null" ? here : "http://127.0.0.1:7433";
};

// Lists are joined; what is undefined or empty is left out.
export function urlOf(address: Address, path: string, query: Query = {}): string {
  const base = new URL(address.baseUrl || "/", origin()).href.replace(/\/*$/, "/");
  const url = new URL(path, base);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && String(value) !== "") url.searchParams.set(name, String(value));
  }
  return url.href;
}

export function headersOf(address: Address): Headers {
  const headers = new Headers();
  if (address.token) headers.set("Authorization", `Bearer ${address.token}`);
  return headers;
}

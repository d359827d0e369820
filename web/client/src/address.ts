// URLs and headers of requests to the server.

import type { Address } from "./types";

export type Query = Record<string, string | number | boolean | string[] | undefined>;

const origin = (): string => {
  const own = globalThis.location?.origin;
  return own && own !== "null" ? own : "http://127.0.0.1:7433";
};

// Joins lists with commas and omits undefined and empty values.
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

// Serves the files of the page from a folder, with the headers of the server.

import fs from 'node:fs';
import path from 'node:path';

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml' };
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// Returns whether it has answered.
export function servePageFile(folder, pathname, response) {
  const name = pathname === '/' ? 'index.html' : pathname.slice(1);
  const type = TYPES[path.extname(name)];
  if (!folder || !type || !/^[\w.-]+$/.test(name)) return false;
  const file = path.join(folder, name);
  if (!fs.existsSync(file)) return false;
  response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' });
  response.end(fs.readFileSync(file));
  return true;
}

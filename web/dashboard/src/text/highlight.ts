// A one-pass highlighter for families of languages.

export interface Token {
  kind: "" | "comment" | "string" | "number" | "keyword" | "call" | "added" | "removed" | "meta";
  text: string;
}

const kKeywords = new Set(
  ("as async await auto bool break case catch char class co_await co_return const constexpr continue def default delete do double elif else " +
    "end enum except export extends extern false final finally float fn for from func function go goto if impl import in int interface is " +
    "lambda let long loop match mod module mut namespace new nil None not null nullptr or and package pass private protected pub public raise " +
    "return self short static str string struct super switch template then this throw trait true True False try type typedef typename typeof " +
    "undefined union unsafe unsigned use using var virtual void volatile where while with yield echo fi done esac local export " +
    "SELECT FROM WHERE INSERT INTO UPDATE DELETE CREATE TABLE JOIN ON AND OR ORDER BY GROUP LIMIT VALUES SET").split(" "),
);

const kStrings = "\"(?:[^\"\\\\\\n]|\\\\.)*\"?|'(?:[^'\\\\\\n]|\\\\.)*'?|`(?:[^`\\\\]|\\\\.)*`?";
const kRest = "\\b(?:0[xX][0-9a-fA-F_]+|\\d[\\d_]*(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)\\b|[A-Za-z_$][\\w$]*";
const kFamilies = {
  slash: new RegExp(`(//[^\\n]*|/\\*[\\s\\S]*?(?:\\*/|$))|(${kStrings})|(${kRest})`, "g"),
  hash: new RegExp(`((?:^|(?<=\\s))#[^\\n]*)|("""[\\s\\S]*?(?:"""|$)|${kStrings})|(${kRest})`, "g"),
  dash: new RegExp(`(--[^\\n]*)|(${kStrings})|(${kRest})`, "g"),
  mark: new RegExp(`(<!--[\\s\\S]*?(?:-->|$))|("[^"\\n]*"?|'[^'\\n]*'?)|(</?[A-Za-z][\\w:-]*|/?>)`, "g"),
};

function familyOf(language: string): RegExp | undefined {
  switch (language) {
    case "": case "text": case "txt": case "plain": case "console": case "output": case "markdown": case "md": return undefined;
    case "py": case "python": case "sh": case "bash": case "zsh": case "shell": case "ruby": case "rb": case "yaml": case "yml": case "toml":
    case "perl": case "r": case "make": case "makefile": case "dockerfile": case "cmake": case "ini": case "conf": return kFamilies.hash;
    case "sql": case "lua": case "haskell": case "hs": case "ada": return kFamilies.dash;
    case "html": case "xml": case "svg": case "vue": return kFamilies.mark;
    default: return kFamilies.slash;
  }
}

const kMaxLength = 40_000;

export function highlight(code: string, language: string): Token[] {
  if (language === "diff" || language === "patch") return diffLines(code);
  const family = familyOf(language);
  if (!family || code.length > kMaxLength) return [{ kind: "", text: code }];
  const tokens: Token[] = [];
  const pattern = new RegExp(family);
  let from = 0;
  for (let found = pattern.exec(code); found; found = pattern.exec(code)) {
    if (found[0] === "") {
      pattern.lastIndex += 1;
      continue;
    }
    const kind = found[1] !== undefined ? "comment" : found[2] !== undefined ? "string" : kindOfWord(found[0], code[pattern.lastIndex], family);
    if (kind === "") continue;
    if (found.index > from) tokens.push({ kind: "", text: code.slice(from, found.index) });
    tokens.push({ kind, text: found[0] });
    from = pattern.lastIndex;
  }
  if (from < code.length) tokens.push({ kind: "", text: code.slice(from) });
  return tokens;
}

function kindOfWord(word: string, next: string | undefined, family: RegExp): Token["kind"] {
  if (family === kFamilies.mark) return "keyword";
  const first = word.charCodeAt(0);
  if (first >= 48 && first <= 57) return "number";
  if (kKeywords.has(word)) return "keyword";
  return next === "(" ? "call" : "";
}

function diffLines(code: string): Token[] {
  return code.split(/(?<=\n)/).map((line) => ({
    kind: line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : line.startsWith("@@") ? "meta" : "",
    text: line,
  }));
}

const kLanguages: Record<string, string> = {
  ts: "ts", tsx: "ts", js: "js", mjs: "js", jsx: "js", cpp: "cpp", cc: "cpp", h: "cpp", hpp: "cpp", c: "c", rs: "rust", go: "go", java: "java", kt: "kotlin",
  cs: "cs", swift: "swift", php: "php", css: "css", json: "json", py: "python", sh: "sh", bash: "sh", rb: "ruby", yaml: "yaml", yml: "yaml", toml: "toml",
  sql: "sql", lua: "lua", html: "html", xml: "xml", svg: "xml", diff: "diff", patch: "diff",
};

export function languageOfPath(path: string): string {
  return kLanguages[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? "";
}

// Finds a tool of an MCP server among the tools of an agent, which adds the server's name in its own way and may hide the tool
// behind a search.

// What a search for hidden tools returns, which are then offered.
export const isSearchResult = ({ text }) => /^Loaded \d+ tool/.test(text);

const WORD = /\$(\w+)/g;

// The newest value of a string member with this name, in the JSON texts of tool results.
function newestValue(key, toolResults) {
  const member = new RegExp(`\\\\?"${key}\\\\?"\\s*:\\s*\\\\?"([^"\\\\]+)`);
  const found = toolResults.map(({ text }) => member.exec(text)?.[1]).filter(Boolean);
  return found.at(-1) ?? `no ${key}`;
}

// `words`: the tool's name, and its arguments as JSON. {tool, input}, or undefined without such a tool.
export function callMcp(words, tools, entries, toolResults) {
  const [, name, json] = /^(\w+)\s*([\s\S]*)$/.exec(words);
  const input = JSON.parse((json || '{}').replace(WORD, (_, key) => newestValue(key, toolResults)));
  const tool = tools.find((offered) => offered.name.endsWith(name));
  if (tool) return { tool, input };

  const [hidden] = entries.flatMap(({ text }) => text.match(new RegExp(`\\w+__${name}\\b`)) ?? []);
  const bridge = tools.find((offered) => offered.name === 'tool_call');
  if (bridge) return { tool: bridge, input: { name: hidden, arguments: input } };
  const search = tools.find((offered) => offered.name === 'ToolSearch');
  return search && { tool: search, input: { query: `select:${hidden}` } };
}

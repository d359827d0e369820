// Finds the tool that an agent offers for a task, and fills in what its schema demands. Agents name them differently.

const NAMES = {
  run: ['execute', 'bash', 'exec_command', 'shell_command', 'shell', 'run_shell_command', 'local_shell'],
  read: ['read', 'read_file', 'view'],
  write: ['write', 'create', 'write_file', 'create_file', 'edit'],
};
const COMMAND = ['command', 'cmd'];
const PATH = ['file_path', 'path', 'absolute_path', 'filePath'];
const CONTENT = ['content', 'contents', 'text', 'file_text'];

const find = (tools, names) => names.map((name) => tools.find((tool) => tool.name.toLowerCase() === name)).find(Boolean);

const typeOf = (schema) => String([schema?.type].flat()[0] ?? '').toLowerCase();

// The smallest value that satisfies a schema.
function filler(schema) {
  if (schema?.enum) return schema.enum[0];
  if (schema?.const !== undefined) return schema.const;
  const choices = schema?.anyOf ?? schema?.oneOf;
  if (choices) return filler(choices[0]);
  switch (typeOf(schema)) {
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((key) => [key, filler(schema.properties?.[key])]));
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return false;
    default:
      return 'scripted';
  }
}

function fill(tool, wanted) {
  const properties = tool.schema?.properties ?? {};
  const input = Object.fromEntries((tool.schema?.required ?? []).map((key) => [key, filler(properties[key])]));
  for (const [names, value] of wanted) {
    const key = names.find((name) => name in properties);
    if (key) input[key] = typeOf(properties[key]) === 'array' ? ['bash', '-lc', value] : value;
  }
  return input;
}

// {tool, input}, or nothing when the agent offers no tool for it.
export function callTool({ kind, value }, tools) {
  const tool = find(tools, NAMES[kind]);
  if (!tool) return undefined;
  if (kind === 'run') return { tool, input: fill(tool, [[COMMAND, value]]) };
  if (kind === 'read') return { tool, input: fill(tool, [[PATH, value]]) };
  const [path, ...content] = value.split('|');
  return { tool, input: fill(tool, [[PATH, path], [CONTENT, content.join('|')]]) };
}

// Finds the shell among the tools of an agent, whose name differs between agents, and fills in the required arguments.

const NAMES = ['execute', 'bash', 'exec_command', 'shell_command', 'shell', 'run_shell_command', 'local_shell'];
const COMMAND = ['command', 'cmd'];

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

// {tool, input}, or undefined without a shell.
export function callShell(command, tools) {
  const tool = NAMES.map((name) => tools.find((offered) => offered.name.toLowerCase() === name)).find(Boolean);
  if (!tool) return undefined;
  const properties = tool.schema?.properties ?? {};
  const input = Object.fromEntries((tool.schema?.required ?? []).map((key) => [key, filler(properties[key])]));
  const key = COMMAND.find((name) => name in properties);
  if (key) input[key] = typeOf(properties[key]) === 'array' ? ['bash', '-lc', command] : command;
  return { tool, input };
}

// Commands, files and links that connect each assistant, made from the engine's address.
import { type EnvironmentName, environmentPaths } from '../../../engine/contract/ids.ts';

export interface Snippet {
  readonly name: string;
  readonly text: string;
}

export interface Assistant {
  readonly id: string;
  readonly title: string;
  readonly sentence: string;
  /** A link that the assistant's own program opens; null without one. */
  readonly link: { readonly label: string; readonly href: string } | null;
  readonly snippets: readonly Snippet[];
}

/** Address of the bundle for Claude Desktop. */
export const bundlePath = '/enrichment-desk.mcpb';

/** Placeholder of the key. A real key is shown only once, and never here. */
const header = 'Authorization: Bearer <API_KEY>';

const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** Base64 of a text in UTF-8. */
const encode64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** The name under which assistants list the tools of an environment. */
const serverNameOf = (environment: EnvironmentName): string =>
  environment === 'live' ? 'enrichment-desk' : 'enrichment-desk-staging';

function describeCursor(name: string, url: string): Assistant {
  const config = encodeURIComponent(encode64(JSON.stringify({ url })));
  return {
    id: 'cursor',
    title: 'Cursor',
    sentence: 'Use the button, or add this to ~/.cursor/mcp.json. Then allow it here.',
    link: {
      label: 'Add to Cursor',
      href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${config}`,
    },
    snippets: [{ name: 'mcp.json', text: toJson({ mcpServers: { [name]: { url } } }) }],
  };
}

function describeCode(name: string, url: string): Assistant {
  const server = { type: 'http', url };
  const encodedConfig = encodeURIComponent(JSON.stringify({ name, ...server }));
  return {
    id: 'vscode',
    title: 'VS Code',
    sentence: 'Use the button, or add this to .vscode/mcp.json. Then allow it here.',
    link: { label: 'Add to VS Code', href: `vscode:mcp/install?${encodedConfig}` },
    snippets: [{ name: 'mcp.json', text: toJson({ servers: { [name]: server } }) }],
  };
}

/** How each assistant is connected. @param root the engine's address, no trailing slash */
export function describeAssistants(
  root: string,
  environment: EnvironmentName,
): readonly Assistant[] {
  const name = serverNameOf(environment);
  const url = `${root}${environmentPaths[environment]}/api/v1/mcp`;
  const add = `claude mcp add --transport http ${name} ${url}`;
  const staging = environment === 'staging' ? ' --staging' : '';
  return [
    {
      id: 'claude-code',
      title: 'Claude Code',
      sentence: 'Run this in a terminal, then /mcp in Claude Code. Then allow it here.',
      link: null,
      snippets: [
        { name: 'Command', text: add },
        { name: 'With a key', text: `${add} --header "${header}"` },
      ],
    },
    {
      id: 'codex',
      title: 'Codex',
      sentence: 'Run these in a terminal. The second one asks for your consent here.',
      link: null,
      snippets: [
        { name: 'Command', text: `codex mcp add ${name} --url ${url}` },
        { name: 'Login', text: `codex mcp login ${name}` },
      ],
    },
    {
      id: 'claude-desktop',
      title: 'Claude Desktop',
      sentence:
        'Save the extension, open it with Claude Desktop and install it. It needs no key, but ' +
        'Enrichment Desk must be running.' +
        (environment === 'staging' ? ' Enable “Staging” in its settings.' : ''),
      link: { label: 'Save the extension', href: bundlePath },
      snippets: [],
    },
    describeCursor(name, url),
    describeCode(name, url),
    {
      id: 'others',
      title: 'Others',
      sentence:
        'Assistants with an HTTP address use Streamable HTTP and ask for your consent here, or ' +
        'send a key. Assistants that start a command run desk mcp and need no key.',
      link: null,
      snippets: [
        { name: 'Address', text: url },
        { name: 'Header', text: header },
        { name: 'Command', text: `desk mcp${staging}` },
      ],
    },
  ];
}

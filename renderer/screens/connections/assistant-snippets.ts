/** What connects each assistant: the very command, file or link, made of the engine's address. */
import { type EnvironmentName, environmentPaths } from '../../../engine/contract/ids.ts';

/** Something to be copied, or to be opened. */
export interface Snippet {
  readonly name: string;
  readonly text: string;
}

/** How an assistant is connected. */
export interface Assistant {
  readonly id: string;
  readonly title: string;
  /** What to do with what follows. */
  readonly sentence: string;
  /** A link that the assistant's own program opens; null where it has none. */
  readonly link: { readonly label: string; readonly href: string } | null;
  readonly snippets: readonly Snippet[];
}

/** Where the bundle for Claude Desktop is, as the page serves it. */
export const bundlePath = '/enrichment-desk.mcpb';

/** What stands for a key: real ones are shown once, and never here. */
const header = 'Authorization: Bearer <API_KEY>';

const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** Base64 of a text in UTF-8. */
const encode64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** The word by which assistants know the tools of an environment. */
const serverNameOf = (environment: EnvironmentName): string =>
  environment === 'live' ? 'enrichment-desk' : 'enrichment-desk-staging';

function describeCursor(name: string, url: string): Assistant {
  const config = encodeURIComponent(encode64(JSON.stringify({ url })));
  return {
    id: 'cursor',
    title: 'Cursor',
    sentence: 'Add it by the button, or put this into ~/.cursor/mcp.json. Then allow it here.',
    link: {
      label: 'Add to Cursor',
      href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${config}`,
    },
    snippets: [{ name: 'mcp.json', text: toJson({ mcpServers: { [name]: { url } } }) }],
  };
}

function describeCode(name: string, url: string): Assistant {
  const server = { type: 'http', url };
  const asked = encodeURIComponent(JSON.stringify({ name, ...server }));
  return {
    id: 'vscode',
    title: 'VS Code',
    sentence: 'Add it by the button, or put this into .vscode/mcp.json. Then allow it here.',
    link: { label: 'Add to VS Code', href: `vscode:mcp/install?${asked}` },
    snippets: [{ name: 'mcp.json', text: toJson({ servers: { [name]: server } }) }],
  };
}

/**
 * How each assistant is connected to an environment.
 * @param root the engine's address without a slash at its end
 */
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
      sentence: 'Run this in a terminal, then /mcp in Claude Code, and allow it here.',
      link: null,
      snippets: [
        { name: 'Command', text: add },
        { name: 'With a key', text: `${add} --header "${header}"` },
      ],
    },
    {
      id: 'claude-desktop',
      title: 'Claude Desktop',
      sentence:
        'Save the extension, open it with Claude Desktop and install it. It needs no key, but ' +
        'Enrichment Desk must be running.' +
        (environment === 'staging' ? ' Switch on “Staging” in its settings.' : ''),
      link: { label: 'Save the extension', href: bundlePath },
      snippets: [],
    },
    describeCursor(name, url),
    describeCode(name, url),
    {
      id: 'others',
      title: 'Others',
      sentence:
        'Programs that take an address use Streamable HTTP and ask to be allowed here, or send a ' +
        'key. Programs that start a command instead run desk mcp and need no key.',
      link: null,
      snippets: [
        { name: 'Address', text: url },
        { name: 'Header', text: header },
        { name: 'Command', text: `desk mcp${staging}` },
      ],
    },
  ];
}

// Decides which URLs may be opened outside the app, and asks the user about the others.
import { type BrowserWindow, dialog, shell } from 'electron';

/** Hosts that open without a question, including their subdomains. */
const knownHosts = ['linkedin.com', 'modelcontextprotocol.io'];

/** Links by which other programs on this machine add the tools, and the programs' names. */
const programLinks = [
  { program: 'Cursor', links: /^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?/ },
  { program: 'VS Code', links: /^vscode:mcp\/install\?/ },
] as const;

const findProgram = (address: string) => programLinks.find(({ links }) => links.test(address));

/**
 * What to do with a URL: known https hosts are opened, other https hosts and links that add the
 * tools to a program need the user's confirmation, anything else is refused.
 */
export function classifyAddress(address: string): 'open' | 'ask' | 'refuse' {
  if (findProgram(address)) return 'ask';
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return 'refuse';
  const isKnown = knownHosts.some((host) => url.host === host || url.host.endsWith(`.${host}`));
  return isKnown ? 'open' : 'ask';
}

async function askToOpen(window: BrowserWindow, address: string): Promise<boolean> {
  const program = findProgram(address);
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: program
      ? `Open ${program.program} to add the tools of Enrichment Desk?`
      : `Open ${new URL(address).host} in your browser?`,
    detail: address.length > 300 ? `${address.slice(0, 300)}…` : address,
    buttons: ['Open', 'Cancel'],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0;
}

/** Opens a URL in the system's browser, if allowed. @returns whether it was opened */
export async function openExternal(address: string, window: BrowserWindow): Promise<boolean> {
  const verdict = classifyAddress(address);
  if (verdict === 'refuse') return false;
  if (verdict === 'ask' && !(await askToOpen(window, address))) return false;
  await shell.openExternal(new URL(address).href);
  return true;
}

/** Which addresses may leave the app for the system's browser, and asking before the others do. */
import { type BrowserWindow, dialog, shell } from 'electron';

/** Hosts, with all below them, that open without a question. */
const knownHosts = ['linkedin.com', 'modelcontextprotocol.io'];

/** Links by which other programs on this machine add the tools, and what they are called. */
const programLinks = [
  { program: 'Cursor', links: /^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?/ },
  { program: 'VS Code', links: /^vscode:mcp\/install\?/ },
] as const;

const findProgram = (address: string) => programLinks.find(({ links }) => links.test(address));

/**
 * What to do with an address: known https hosts open, other https hosts are asked for,
 * links that add the tools to a program too, anything else is refused.
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

/**
 * Opens an address in the system's browser, where it may.
 * @returns whether it was opened
 */
export async function openExternal(address: string, window: BrowserWindow): Promise<boolean> {
  const verdict = classifyAddress(address);
  if (verdict === 'refuse') return false;
  if (verdict === 'ask' && !(await askToOpen(window, address))) return false;
  await shell.openExternal(new URL(address).href);
  return true;
}

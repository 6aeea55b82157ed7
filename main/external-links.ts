/** Which addresses may leave the app for the system's browser, and asking before the others do. */
import { type BrowserWindow, dialog, shell } from 'electron';

/** Hosts, with all below them, that open without a question. */
const knownHosts = ['linkedin.com', 'modelcontextprotocol.io'];

/**
 * What to do with an address: known https hosts open, other https hosts are asked for,
 * anything else is refused.
 */
export function judgeAddress(address: string): 'open' | 'ask' | 'refuse' {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return 'refuse';
  const isKnown = knownHosts.some((host) => url.host === host || url.host.endsWith(`.${host}`));
  return isKnown ? 'open' : 'ask';
}

async function askToOpen(window: BrowserWindow, address: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: `Open ${new URL(address).host} in your browser?`,
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
  const verdict = judgeAddress(address);
  if (verdict === 'refuse') return false;
  if (verdict === 'ask' && !(await askToOpen(window, address))) return false;
  await shell.openExternal(new URL(address).href);
  return true;
}

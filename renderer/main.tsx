// Starts the page: the session, then the interface.
import './api/parse-without-eval.ts';
import { createRoot } from 'react-dom/client';
import { startSession } from './api/session.ts';
import { Root } from './root.tsx';
import { loadScreen, loadScreensWhenIdle, sendFirstRequests } from './screen-table.tsx';

const nonce =
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? undefined;
// The scroll lock under dialogs reads the nonce for its style here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

async function start(): Promise<void> {
  const address = location.hash.slice(1);
  sendFirstRequests(address);
  await Promise.all([startSession(), loadScreen(address)]);
  createRoot(document.getElementById('root')!).render(<Root nonce={nonce} />);
  void loadScreensWhenIdle();
}

// Without `await`: the screens import this file's chunk, and would wait for its end.
void start();

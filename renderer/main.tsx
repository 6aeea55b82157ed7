/** Starts the page: its session, then everything that is shown. */
import './api/parse-without-eval.ts';
import { createRoot } from 'react-dom/client';
import { redeemLink } from './api/session.ts';
import { Root } from './root.tsx';

const nonce =
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? undefined;
// The scroll lock under dialogs adds a style of its own and looks for its nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

await redeemLink();
createRoot(document.getElementById('root')!).render(<Root nonce={nonce} />);

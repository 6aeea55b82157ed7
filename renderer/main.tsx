/** Starts the page: fonts and styles, the session, the account's cache, the shell. */
import './api/parse-without-eval.ts';
import '@fontsource-variable/inter';
import '@mantine/core/styles.css';
import '@mantine/dropzone/styles.css';
import '@mantine/notifications/styles.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { AccountScope } from './account-scope.tsx';
import { redeemLink } from './api/session.ts';
import { App } from './app.tsx';
import { resolveVariables, theme } from './theme.ts';

const nonce =
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? undefined;
// The scroll lock under dialogs adds a style of its own and looks for its nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

await redeemLink();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      defaultColorScheme="auto"
      {...(nonce ? { getStyleNonce: () => nonce } : {})}
    >
      <Router hook={useHashLocation}>
        <AccountScope>
          <App />
        </AccountScope>
      </Router>
      <Notifications position="bottom-right" />
    </MantineProvider>
  </StrictMode>,
);

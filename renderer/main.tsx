/** Starts the page: fonts and styles, the session, the cache, the shell. */
import './api/parse-without-eval.ts';
import '@fontsource-variable/inter';
import '@mantine/core/styles.css';
import '@mantine/dropzone/styles.css';
import '@mantine/notifications/styles.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { ApiError } from './api/client.ts';
import { redeemLink } from './api/session.ts';
import { App } from './app.tsx';
import { resolveVariables, theme } from './theme.ts';

const nonce =
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? undefined;
// The scroll lock under dialogs adds a style of its own and looks for its nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      refetchOnWindowFocus: false,
      // A refusal stays a refusal; only an engine that did not answer is asked again.
      retry: (count, error) => count < 2 && error instanceof ApiError && error.status === 0,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

await redeemLink();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      defaultColorScheme="auto"
      {...(nonce ? { getStyleNonce: () => nonce } : {})}
    >
      <QueryClientProvider client={client}>
        <Router hook={useHashLocation}>
          <App />
        </Router>
      </QueryClientProvider>
      <Notifications position="bottom-right" />
    </MantineProvider>
  </StrictMode>,
);

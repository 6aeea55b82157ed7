/** The root component: styles, providers and the interface. */
import '@fontsource-variable/inter';
import '@mantine/core/styles.css';
import '@mantine/dropzone/styles.css';
import '@mantine/notifications/styles.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { Router } from 'wouter';
import { AccountScope } from './account-scope.tsx';
import { App } from './app.tsx';
import { useHashLocation } from './hash-location.ts';
import { latePart } from './late-part.tsx';
import { resolveVariables, theme } from './theme.ts';

const Toasts = latePart(() => import('./toasts.tsx').then((file) => file.Toasts));

/** @param nonce the nonce for styles added later, if the page's policy has one */
export function Root({ nonce }: { nonce?: string | undefined }) {
  return (
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
        <Toasts />
      </MantineProvider>
    </StrictMode>
  );
}

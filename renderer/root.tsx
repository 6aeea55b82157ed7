/** The whole page: its styles, and the interface with all that its parts rely on. */
import '@fontsource-variable/inter';
import '@mantine/core/styles.css';
import '@mantine/dropzone/styles.css';
import '@mantine/notifications/styles.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { StrictMode } from 'react';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { AccountScope } from './account-scope.tsx';
import { App } from './app.tsx';
import { resolveVariables, theme } from './theme.ts';

/** The page; `nonce` is what its policy asks of styles that are added later, if it has one. */
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
        <Notifications position="bottom-right" />
      </MantineProvider>
    </StrictMode>
  );
}

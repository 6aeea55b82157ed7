/** The banner of every screen while the engine does not answer. */
import { Alert, Code } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { findDesktop } from './api/desktop.ts';
import { useIsOffline } from './api/live.ts';
import classes from './shell.module.css';

/** Says that the figures are old, and what to do. It goes away by itself. */
export function EngineOffline() {
  if (!useIsOffline()) return null;
  return (
    <Alert
      role="alert"
      color="red"
      className={classes.offline}
      icon={<IconPlugConnectedX size={18} aria-hidden />}
      title="The engine is not responding"
    >
      The figures on this page are the last known ones. No data is lost: a running job continues
      when the engine runs again, and this page reconnects by itself.{' '}
      {findDesktop() ? (
        'The app is restarting the engine. If this takes longer than a minute, restart the app.'
      ) : (
        <>
          If the engine was stopped, start it again with <Code>npm start</Code> or{' '}
          <Code>desk serve</Code>, with the same port.
        </>
      )}
    </Alert>
  );
}

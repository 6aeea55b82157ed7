// The banner of every screen while the engine refuses writes.
import { Alert } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useAppState } from './api/live.ts';
import classes from './shell.module.css';

/** Says why, what is still possible, and what to do. It goes away by itself. */
export function ReadOnlyBanner() {
  const { data: state } = useAppState();
  if (!state?.read_only) return null;
  const { reason, detail } = state.read_only;
  return (
    <Alert
      role="alert"
      color={reason === 'damaged' ? 'red' : 'yellow'}
      className={classes.offline}
      icon={<IconLock size={18} aria-hidden />}
      title={reason === 'damaged' ? 'A database is damaged: read-only' : 'Disk full: read-only'}
    >
      {detail}
    </Alert>
  );
}

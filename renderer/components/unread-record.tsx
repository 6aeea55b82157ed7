// Replaces a record that is not available: it loads, does not exist, or failed to load.
import { Button, Skeleton } from '@mantine/core';
import { IconFileOff } from '@tabler/icons-react';
import { Link } from 'wouter';
import { ApiError } from '../api/client.ts';
import { EmptyState } from './empty-state.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { Page } from './page.tsx';

/** Shows a loading record while `error` is null, otherwise the reason and the way on. */
export function UnreadRecord({
  name,
  list,
  listed = list.slice(1),
  reason = 'It may belong to another account.',
  full = false,
  error,
  onRetry,
}: {
  /** The kind of record in lower case: `job`. */
  name: string;
  /** The screen that lists all of them: `/jobs`. */
  list: `/${string}`;
  /** What that screen lists, if its address does not say so. */
  listed?: string;
  reason?: string;
  /** Whether the record's own page takes the full width. */
  full?: boolean;
  error: Error | null;
  onRetry: () => void;
}) {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  if (!error)
    return (
      <Page title={title} full={full}>
        <Skeleton height={full ? 64 : 160} />
        {full && <Skeleton flex={1} />}
      </Page>
    );
  return (
    <Page title={title}>
      {error instanceof ApiError && error.status === 404 ? (
        <EmptyState
          Icon={IconFileOff}
          title={`No such ${name} here`}
          sentence={reason}
          action={
            <Button variant="filled" component={Link} href={list}>
              See all {listed}
            </Button>
          }
        />
      ) : (
        <ErrorPanel title={`The ${name} could not be loaded`} error={error} onRetry={onRetry} />
      )}
    </Page>
  );
}

/** The page in place of a record that was not read: it loads, it does not exist, or it failed. */
import { Button, Skeleton } from '@mantine/core';
import { IconFileOff } from '@tabler/icons-react';
import { Link } from 'wouter';
import { ApiError } from '../api/client.ts';
import { EmptyState } from './empty-state.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { Page } from './page.tsx';

/** Shows that a record loads while `error` is null, else why it is not there and the way on. */
export function UnreadRecord({
  name,
  list,
  reason = 'It may belong to another account of this desk.',
  full = false,
  error,
  onRetry,
}: {
  /** What it is, in lower case: `job`. */
  name: string;
  /** The screen that lists all of them: `/jobs`. */
  list: `/${string}`;
  /** Why the engine may not know it. */
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
          title={`There is no such ${name} here`}
          sentence={reason}
          action={
            <Button component={Link} href={list}>
              See all {list.slice(1)}
            </Button>
          }
        />
      ) : (
        <ErrorPanel title={`The ${name} could not be read`} error={error} onRetry={onRetry} />
      )}
    </Page>
  );
}

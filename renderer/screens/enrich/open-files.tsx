/** Opens files that were dropped or pasted: at once, or after a question if a setup exists. */
import { Button, Group, Modal, Text } from '@mantine/core';
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { countOf } from '../../components/numbers.ts';
import { useFlow } from './flow.tsx';

const OpenFilesContext = createContext<((files: readonly File[]) => void) | null>(null);

/** Opens files on the Enrich screen: the first now, the others one after the other. */
export function useOpenFiles(): (files: readonly File[]) => void {
  const open = use(OpenFilesContext);
  if (!open) throw new Error('useOpenFiles stands outside OpenFiles');
  return open;
}

/** Provides the opening of files, and asks before a setup is replaced. */
export function OpenFiles({ children }: { children: ReactNode }) {
  const { flow, actions } = useFlow();
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<readonly File[]>([]);
  const replace = useCallback(
    ([first, ...others]: readonly File[]) => {
      if (!first) return;
      setAsked([]);
      navigate('/');
      actions.change({ waiting: others });
      void actions.choose({ file: first });
    },
    [actions, navigate],
  );
  const hasSetup = flow.name !== null && flow.error === null;
  const open = useMemo(() => (hasSetup ? setAsked : replace), [hasSetup, replace]);
  const [first, ...others] = asked;
  return (
    <OpenFilesContext value={open}>
      {children}
      <Modal
        opened={first !== undefined}
        onClose={() => setAsked([])}
        title={`Open ${first?.name ?? ''}?`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Text>
          It replaces {flow.name}. Nothing was submitted.
          {others.length > 0 && ` ${countOf(others.length, 'more file waits', 'more files wait')}.`}
        </Text>
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" onClick={() => setAsked([])}>
            Keep {flow.name}
          </Button>
          <Button data-autofocus onClick={() => replace(asked)}>
            Open
          </Button>
        </Group>
      </Modal>
    </OpenFilesContext>
  );
}

/** The files that wait, and the next of them; nothing without any. */
export function WaitingFiles() {
  const { flow, actions } = useFlow();
  const [next, ...others] = flow.waiting;
  if (!next) return null;
  const open = () => {
    actions.change({ waiting: others });
    void actions.choose({ file: next });
  };
  return (
    <Group gap="sm" role="status">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {countOf(flow.waiting.length, 'more file waits', 'more files wait')}:{' '}
        {flow.waiting.map(({ name }) => name).join(', ')}
      </Text>
      <Button size="xs" variant="default" onClick={open}>
        Open {next.name}
      </Button>
      <Button size="xs" variant="default" onClick={() => actions.change({ waiting: [] })}>
        Remove from the list
      </Button>
    </Group>
  );
}

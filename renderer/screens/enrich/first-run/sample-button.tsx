/** Loads the sample directory if it is missing, then opens the sample spreadsheet. */

import { Button, Group, Progress, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { imports, toItsEnd } from '../../../../engine/contract/imports.ts';
import { useCall, useTask } from '../../../api/live.ts';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { showShare } from '../../../components/numbers.ts';
import { useFlow } from '../flow.tsx';

/** Share of the bar that reading takes; the index takes the rest. */
const readingShare = 0.6;

/** How far the sample is: the import's progress, then the index's. */
function useProgress(): { label: string; share: number } {
  const reading = useTask('import');
  const indexing = useTask('index');
  const shareOf = (task: typeof reading) => (task?.total ? task.done / task.total : 0);
  return indexing
    ? {
        label: 'Preparing the sample for matching',
        share: readingShare + (1 - readingShare) * shareOf(indexing),
      }
    : { label: 'Loading the sample people', share: readingShare * shareOf(reading) };
}

function LoadingSample() {
  const { label, share } = useProgress();
  const shown = Math.min(1, share);
  return (
    <div>
      <Text size="sm" role="status" className="numbers" mb={4}>
        {label}, {showShare(shown)}
      </Text>
      <Progress value={shown * 100} size="sm" aria-label="Loading the sample" />
    </div>
  );
}

/** @param isEmpty whether the directory has no people; undefined until it is known */
export function SampleButton({ isEmpty }: { isEmpty: boolean | undefined }) {
  const { actions } = useFlow();
  const load = useCall(toItsEnd(imports.addSample), ['state', 'directory']);
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    for (const task of ['import', 'index']) client.setQueryData(['task', task], null);
    try {
      if (isEmpty) await load.mutateAsync({ wait: '1' });
      await actions.choose({ sample: true });
    } catch {
      setBusy(false);
    }
  };
  return (
    <>
      <Group gap="sm" wrap="nowrap" mih={40}>
        <Button
          variant={isEmpty ? 'filled' : 'default'}
          flex="none"
          onClick={() => void start()}
          loading={isBusy}
          disabled={isEmpty === undefined}
        >
          Try the sample
        </Button>
        <div style={{ flex: 1 }}>{isBusy && isEmpty && <LoadingSample />}</div>
      </Group>
      {load.isError && (
        <ErrorPanel
          title="The sample could not be loaded"
          error={load.error}
          onRetry={() => void start()}
        />
      )}
    </>
  );
}

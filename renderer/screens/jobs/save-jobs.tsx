/** Saves the results of several jobs, one file for each. */
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { ExportFormat } from '../../../engine/contract/exports/export-formats.ts';
import { jobExports } from '../../../engine/contract/exports/job-exports.ts';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { nameOf } from '../../components/jobs/job-words.ts';
import { countOf, showCount } from '../../components/numbers.ts';
import { OpenModal } from '../../components/open-modal.tsx';
import { formatNames } from '../../components/save/save-dialog.tsx';
import { saveFile } from '../../components/save/save-file.tsx';
import { isolate } from '../../components/titles/isolate.ts';

const formats = Object.entries(formatNames).map(([value, label]) => ({ value, label }));

function SaveDialog({ jobs, onClose }: { jobs: readonly StatusData[]; onClose: () => void }) {
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [done, setDone] = useState(0);
  const saving = useChange(async () => {
    // After an error, only the files that are left are saved.
    for (const [at, job] of jobs.entries()) {
      if (at < done) continue;
      const write = (path: string | undefined) =>
        ask(jobExports.write, { job_id: job.job_id, path, format });
      if (!(await saveFile(`${nameOf(job)}-enriched`, format, write))) return false;
      setDone(at + 1);
    }
    return true;
  }, []);
  const next = jobs[done];
  return (
    <OpenModal onClose={onClose} title={`Save ${countOf(jobs.length, 'job')}`}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          One file for each job, with all its rows and columns. Your browser may ask whether this
          page can download several files.
        </Text>
        <SegmentedControl
          aria-label="Format"
          w={280}
          data-autofocus
          data={formats}
          value={format}
          onChange={(value) => setFormat(value as ExportFormat)}
        />
        <Text size="sm" role="status" className="numbers">
          {done > 0 && `${showCount(done)} of ${countOf(jobs.length, 'file')} saved.`}
        </Text>
        {saving.error && next && (
          <ErrorPanel title={`“${isolate(nameOf(next))}” was not saved`} error={saving.error} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={saving.isPending}
            onClick={() =>
              saving.mutate(undefined, { onSuccess: (isSaved) => isSaved && onClose() })
            }
          >
            Save {countOf(jobs.length - done, 'file')}
          </Button>
        </Group>
      </Stack>
    </OpenModal>
  );
}

/** The button for the completed ones of the selected jobs, and its dialog. */
export function SaveJobs({ jobs }: { jobs: readonly StatusData[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const completed = jobs.filter(({ status }) => status === 'completed');
  if (completed.length === 0) return null;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-haspopup="dialog"
        leftSection={<IconDownload size={14} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {completed.length === jobs.length
          ? 'Save…'
          : `Save ${showCount(completed.length)} completed…`}
      </Button>
      {isOpen && <SaveDialog jobs={completed} onClose={() => setIsOpen(false)} />}
    </>
  );
}

// Saves a file: to a chosen path in the desktop shell, as a download in the browser.
import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ExportFormat } from '../../../engine/contract/exports/export-formats.ts';
import type { ExportAnswer } from '../../../engine/contract/jobs/app-jobs.ts';
import { findDesktop, startDownload } from '../../api/desktop.ts';
import { countOf } from '../numbers.ts';
import { isolate } from '../titles/isolate.ts';
import { showSuccess } from '../toast.ts';

/** The answer of an export, and what else the confirmation says of the file. */
export type SavedAnswer = ExportAnswer & { readonly note?: string | undefined };

/** Confirms a written file, and offers to show it if the shell can. */
function showSaved({ rows, note }: SavedAnswer, path: string): void {
  const desktop = findDesktop();
  notifications.show({
    color: 'teal',
    autoClose: 10_000,
    title: `Saved ${countOf(rows, 'row')}`,
    message: (
      <Stack gap={6} align="flex-start">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {path}
        </Text>
        {note && <Text size="sm">{note}</Text>}
        <Button size="compact-xs" onClick={() => void desktop?.showInFolder(path)}>
          Show in folder
        </Button>
      </Stack>
    ),
  });
}

/**
 * Asks for a path if the shell can, then has the engine write or stream the file.
 * @param name the proposed file name, without its extension
 * @returns whether a file was saved; false if the user cancelled
 */
export async function saveFile(
  name: string,
  format: ExportFormat,
  onExport: (path: string | undefined) => Promise<SavedAnswer>,
): Promise<boolean> {
  const suggestedName = `${name.replace(/[\\/:*?"<>|]/g, '-')}.${format}`;
  const place = await findDesktop()?.saveAs({ suggestedName, kind: format });
  if (place === null) return false;
  const answer = await onExport(place?.path);
  if (answer.path) showSaved(answer, answer.path);
  if (answer.download_url) {
    startDownload(answer.download_url, answer.file_name);
    const note = answer.note === undefined ? '' : ` ${answer.note}`;
    showSuccess(`Downloading ${isolate(answer.file_name)}: ${countOf(answer.rows, 'row')}.${note}`);
  }
  return true;
}

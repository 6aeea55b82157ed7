/** The choice of a CRM for a saved file, and of the column with the ids of its records. */
import { Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  type CrmExport,
  type CrmName,
  crmPresets,
} from '../../../engine/contract/exports/crm-presets.ts';
import { readRecordIds } from '../../api/exports.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';

/** The choice: no CRM, or one with the column that was chosen; null for the guessed column. */
export interface CrmDraft {
  readonly crm: CrmName | null;
  readonly recordId: string | null;
}

export const noCrm: CrmDraft = { crm: null, recordId: null };

/** The headers of the list, the guessed or chosen column, and the preset of the export. */
export function useRecordId(jobId: string, { crm, recordId }: CrmDraft) {
  const query = useQuery({
    queryKey: ['record-ids', jobId],
    queryFn: () => readRecordIds(jobId),
    enabled: crm !== null,
  });
  const chosen = recordId ?? (crm && query.data?.guesses[crm]) ?? null;
  const preset: CrmExport | null = crm && chosen ? { crm, record_id: chosen } : null;
  return { query, chosen, preset, isGuessed: recordId === null && chosen !== null };
}

/** The fields. Another CRM clears the chosen column, because it has other ids. */
export function CrmChoice({
  draft: { crm },
  onDraft,
  record: { query, chosen, isGuessed },
}: {
  draft: CrmDraft;
  onDraft: (draft: CrmDraft) => void;
  record: ReturnType<typeof useRecordId>;
}) {
  const choices = Object.entries(crmPresets).map(([value, { label }]) => ({ value, label }));
  const preset = crm && crmPresets[crm];
  return (
    <Stack gap="xs">
      <Select
        label="Columns for"
        data={[{ value: '', label: 'A spreadsheet, all columns' }, ...choices]}
        allowDeselect={false}
        value={crm ?? ''}
        onChange={(value) => onDraft({ crm: (value || null) as CrmName | null, recordId: null })}
      />
      {query.error && (
        <ErrorPanel
          title="The columns could not be read"
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      )}
      {preset && query.data && (
        <>
          <Select
            label="Record ID column"
            description={
              isGuessed
                ? `Recognised by its values: ${preset.idHint}.`
                : `${preset.idHint}. Needed to update existing records.`
            }
            placeholder="Choose a column"
            searchable
            data={[...new Set(query.data.headers)].filter((header) => header !== '')}
            value={chosen}
            onChange={(recordId) => onDraft({ crm, recordId })}
          />
          {chosen === null && (
            <Text size="sm" c="var(--desk-failed)" role="status">
              Choose the column with the record ID.
            </Text>
          )}
          <Text size="sm" c="dimmed">
            {`The file has the record ID and the values to update. ${preset.note}`}
          </Text>
        </>
      )}
    </Stack>
  );
}

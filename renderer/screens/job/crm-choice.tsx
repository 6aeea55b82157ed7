// The choice of a CRM for a saved file, where the ids of its records are, and of new records.
import { Button, Group, Radio, Select, Stack, Text } from '@mantine/core';
import { useMemo, useRef } from 'react';
import { z } from 'zod';
import type { ImportKind } from '../../../engine/contract/directory.ts';
import {
  type CrmExport,
  type CrmName,
  crmNames,
} from '../../../engine/contract/exports/crm-export.ts';
import {
  crmPresets,
  explainNoIds,
  listsFor,
  type RecordIds,
} from '../../../engine/contract/exports/crm-presets.ts';
import { jobExports } from '../../../engine/contract/exports/job-exports.ts';
import { useAnswer } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { createKeptChoice } from '../../components/save/kept-choice.ts';
import { Note } from '../../components/text.tsx';

/** Where people or companies go that are no record of the CRM. */
const newPeopleChoices = {
  same: 'In the same file, as new records without an id',
  second: 'In a second file',
  none: 'In no file',
} as const;

const notInCrm: Readonly<Record<ImportKind, string>> = {
  people: 'People who are not in the CRM',
  companies: 'Companies that are not in the CRM',
};

/** The choice: no CRM, or one with where its ids are; null for what was recognised. */
export interface CrmDraft {
  readonly crm: CrmName | null;
  readonly place: string | null;
  readonly newPeople: keyof typeof newPeopleChoices;
}

const noCrm: CrmDraft = { crm: null, place: null, newPeople: 'same' };

/** The CRM that a file was saved for last. The place of its ids is recognised in each list. */
export const keptCrm = createKeptChoice(
  'desk-save-crm',
  z.object({ crm: z.enum(crmNames).nullable(), newPeople: z.enum(['same', 'second', 'none']) }),
);
// A place of ids is a column of the list, or an imported list.
const [columnMark, listMark] = ['column:', 'list:'];

/** Where the ids of a CRM are recognised; null if nowhere. */
function guessPlace(crm: CrmName, ids: RecordIds): string | null {
  const guessed = ids.guesses[crm];
  if (guessed !== undefined) return columnMark + guessed;
  const list = listsFor(crm, ids).find(({ crms }) => crms.includes(crm));
  return list ? listMark + list.source : null;
}

function readPreset(crm: CrmName, place: string | null): CrmExport {
  if (place?.startsWith(columnMark)) return { crm, record_id: place.slice(columnMark.length) };
  if (place?.startsWith(listMark)) return { crm, id_list: place.slice(listMark.length) };
  return { crm };
}

/**
 * Where the ids are, and the preset of the export.
 * @param chosenDraft null until the user chooses: until then the last choice holds if it fits
 */
export function useRecordId(jobId: string, chosenDraft: CrmDraft | null) {
  const query = useAnswer(['record-ids', jobId], jobExports.recordIds, {
    input: { job_id: jobId },
    // A list may be imported between two dialogs.
    gcTime: 0,
  });
  const last = useMemo(() => keptCrm.read(), []);
  const isFit = last?.crm && query.data && crmPresets[last.crm].kind === query.data.kind;
  const draft = chosenDraft ?? (isFit ? { ...noCrm, ...last } : noCrm);
  const { crm, place } = draft;
  const guessed = crm && query.data ? guessPlace(crm, query.data) : null;
  const chosen = place ?? guessed;
  // Of several lists with ids, each may know other people.
  const preset = crm && readPreset(crm, chosen?.startsWith(columnMark) ? chosen : place);
  const lists = crm && query.data ? listsFor(crm, query.data) : [];
  const ofList = lists.filter(({ source, crms }) =>
    preset?.id_list ? source === preset.id_list : crm && crms.includes(crm),
  );
  const isShared = place === null && !chosen?.startsWith(columnMark) && ofList.length > 1;
  return {
    query,
    // Without ids all records are new: a file of the others would be empty.
    draft: query.data && chosen === null ? { ...draft, newPeople: noCrm.newPeople } : draft,
    chosen,
    /** The lists that give ids together, the first one first; none if one place was chosen. */
    together: isShared ? ofList.map(({ name }) => name) : [],
    preset,
    /** The columns that the imports of the lists with the ids kept. */
    kept: [...new Set(ofList.flatMap(({ kept }) => kept))],
    isGuessed: place === null && chosen !== null,
  };
}

const listPlaces = (crm: CrmName, ids: RecordIds) => [
  {
    group: 'Your imported lists',
    items: listsFor(crm, ids).map(({ source, name }) => ({
      value: listMark + source,
      label: name,
    })),
  },
  {
    group: 'Columns of this list',
    items: [...new Set(ids.headers)]
      .filter((header) => header !== '')
      .map((header) => ({ value: columnMark + header, label: header })),
  },
];

/** The presets for what the list is of whose ids it or an imported list has, and no other's. */
const listLikely = ({ guesses, kind, lists }: RecordIds): CrmName[] => {
  const guessed = crmNames.filter((crm) => guesses[crm] !== undefined);
  const listed = lists.flatMap((list) =>
    list.kind === kind && list.crms.length === 1 ? list.crms : [],
  );
  return [...new Set([...guessed, ...listed])];
};

/** The fields. Another CRM clears the chosen place, because it has other ids. */
export function CrmChoice({
  draft,
  onDraft,
  record: { query, chosen, together, isGuessed },
}: {
  draft: CrmDraft;
  onDraft: (draft: CrmDraft) => void;
  record: ReturnType<typeof useRecordId>;
}) {
  const { crm, newPeople } = draft;
  const columnsFor = useRef<HTMLInputElement>(null);
  const choices = Object.entries(crmPresets).map(([value, { label }]) => ({ value, label }));
  const preset = crm && crmPresets[crm];
  return (
    <Stack gap="xs">
      <Select
        ref={columnsFor}
        label="Columns for"
        data={[{ value: '', label: 'A spreadsheet, all columns' }, ...choices]}
        allowDeselect={false}
        value={crm ?? ''}
        onChange={(value) =>
          onDraft({ ...draft, crm: (value || null) as CrmName | null, place: null })
        }
      />
      {crm === null && query.data && listLikely(query.data).length > 0 && (
        <Group gap="xs">
          {listLikely(query.data).map((name) => (
            <Button
              key={name}
              size="xs"
              onClick={() => {
                // The button goes away, and its focus with it.
                columnsFor.current?.focus();
                onDraft({ ...draft, crm: name, place: null });
              }}
            >
              {`For ${crmPresets[name].label}`}
            </Button>
          ))}
        </Group>
      )}
      <ErrorPanel
        title="The columns could not be read"
        error={query.error}
        onRetry={query.refetch}
      />
      {preset && query.data && (
        <>
          <Select
            label="Record ID from"
            description={
              isGuessed
                ? `Recognised by its values: ${preset.idHint}.`
                : `${preset.idHint}. Needed to update existing records. ` +
                  'An imported list gives the id that it has now.'
            }
            placeholder={together.join(', ') || 'Nothing: every row becomes a new record'}
            searchable
            allowDeselect={false}
            data={listPlaces(crm, query.data)}
            value={together.length > 0 ? null : chosen}
            onChange={(place) => onDraft({ ...draft, place })}
          />
          {together.length > 0 && (
            <Text size="sm">
              Each person or company has the id of the first of these lists that has one. If they
              are exports of different CRMs, choose one.
            </Text>
          )}
          {chosen === null ? (
            <Text size="sm" role="status">
              {`${explainNoIds(crm, query.data)} in Directory → Imports.`}
            </Text>
          ) : (
            <Radio.Group
              label={notInCrm[preset.kind]}
              value={newPeople}
              onChange={(value) => onDraft({ ...draft, newPeople: value as CrmDraft['newPeople'] })}
            >
              <Stack gap={6} mt={6}>
                {Object.entries(newPeopleChoices).map(([value, label]) => (
                  <Radio key={value} value={value} label={label} />
                ))}
              </Stack>
            </Radio.Group>
          )}
          <Note>
            {[preset.note, chosen !== null && preset.updateNote].filter(Boolean).join(' ')}
          </Note>
        </>
      )}
    </Stack>
  );
}

// The search and the further filters above the grid of a job.
import { CloseButton, Loader, Select, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedCallback, useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import { type LayerCode, nameLayer } from '../../../engine/contract/jobs/layers.ts';
import type { Outcomes, RowSource, RowView } from '../../../engine/contract/jobs/row-view.ts';
import { rowSearchCharactersMax } from '../../../engine/contract/limits/jobs.ts';
import { directorySearch } from '../../../engine/contract/records/record-search.ts';
import { useAnswer } from '../../api/live.ts';
import { showCount } from '../../components/numbers.ts';
import classes from './outcome-bar.module.css';
import { useOutcomes } from './outcome-bar.tsx';

const sourceWords: Readonly<Record<RowSource, string>> = {
  directory: 'Directory only',
  provider: 'Data services',
};
const importMark = 'import:';

/** The value of the list for a view, and the view of a value. */
const choiceOf = ({ source, origin }: RowView): string | null =>
  origin === undefined ? (source ?? null) : `${importMark}${origin}`;
const viewOfChoice = (value: string | null): Pick<RowView, 'source' | 'origin'> =>
  value?.startsWith(importMark)
    ? { source: undefined, origin: value.slice(importMark.length) }
    : { source: (value ?? undefined) as RowSource | undefined, origin: undefined };

/** The names of the imports that people of the directory are from; the chosen one is among them. */
function useImportNames(chosen: string | undefined, isWanted: boolean): readonly string[] {
  const { data } = useAnswer(['found-people', 'origins', 'names'], directorySearch.origins, {
    enabled: isWanted,
  });
  const names = data?.sources.map(({ source }) => source) ?? [];
  return chosen === undefined || names.includes(chosen) ? names : [chosen, ...names];
}

interface SourceFilterProps {
  job: StatusData;
  view: RowView;
  outcomes: Outcomes | undefined;
  refusal: string | null;
  onChange: (change: RowView) => void;
}

/** @param refusal why rows cannot be filtered by an import now; null if they can be */
function SourceFilter({ job, view, outcomes, refusal, onChange }: SourceFilterProps) {
  // The names are asked for when they are needed: counting people costs time.
  const [isOpened, opened] = useDisclosure(false);
  const names = useImportNames(view.origin, isOpened && refusal === null);
  const hasServices = view.source !== undefined || (outcomes?.sources.provider ?? 0) > 0;
  // A job that runs cannot be filtered by an import, and without services there is no other choice.
  if (!hasServices && (refusal !== null || job.enriched_rows === 0)) return null;
  const services = (['directory', 'provider'] as const).map((source) => ({
    value: source,
    label: `${sourceWords[source]} · ${showCount(outcomes?.sources[source] ?? 0)}`,
  }));
  const imports = names.map((name) => ({ value: `${importMark}${name}`, label: name }));
  return (
    <Select
      clearable
      onDropdownOpen={opened.open}
      searchable={imports.length > 8}
      size="xs"
      flex={1}
      aria-label="Found in"
      placeholder="Any source"
      nothingFoundMessage="No import has this name"
      data={[
        ...(hasServices ? [{ group: 'Kind', items: services }] : []),
        ...(imports.length > 0 ? [{ group: 'Imports', items: imports }] : []),
      ]}
      value={choiceOf(view)}
      onChange={(value) => onChange(viewOfChoice(value))}
      clearButtonProps={{ 'aria-label': 'Any source' }}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}

const typingPauseMs = 250;

/** Why a job is neither searched nor sorted; null if it can be. */
export const refusalOf = ({ status }: Pick<StatusData, 'status'>): string | null =>
  status === 'completed' ? null : 'Available when the job has finished.';

interface FilterProps {
  readonly job: StatusData;
  readonly view: RowView;
  readonly onChange: (change: RowView) => void;
}

export function SearchField({
  job,
  view,
  onChange,
  isPending,
}: FilterProps & { isPending: boolean }) {
  const search = view.search ?? '';
  const [text, setText] = useState(search);
  const field = useRef<HTMLInputElement>(null);
  const sent = useRef(search);
  const send = useDebouncedCallback((value: string) => {
    sent.current = value.trim();
    onChange({ search: value.trim() });
  }, typingPauseMs);
  // The address may change otherwise, such as by a link.
  useEffect(() => {
    if (search !== sent.current) setText(search);
    sent.current = search;
  }, [search]);
  useHotkeys([['/', () => field.current?.focus()]]);
  const refusal = refusalOf(job);
  const write = (value: string) => {
    setText(value);
    send(value);
  };
  const clear = text && (
    <CloseButton size="sm" aria-label="Clear the search" onClick={() => write('')} />
  );
  return (
    <Tooltip label={refusal} disabled={refusal === null}>
      <TextInput
        ref={field}
        size="xs"
        w={250}
        maw="100%"
        type="search"
        aria-label="Search names, companies and emails"
        placeholder="Search names, companies, emails"
        maxLength={rowSearchCharactersMax}
        disabled={refusal !== null}
        value={text}
        leftSection={isPending ? <Loader size={14} /> : <IconSearch size={14} aria-hidden />}
        rightSection={clear}
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && write('')}
      />
    </Tooltip>
  );
}

export function RowFilters({ job, view, onChange }: FilterProps) {
  const outcomes = useOutcomes(job);
  const count = (number: number | undefined) =>
    number === undefined ? '' : ` · ${showCount(number)}`;
  const layers = job.selected_layers.map((code) => ({
    value: code,
    label: `${nameLayer(code)}${count(outcomes?.layers[code])}`,
  }));
  const clearable = { clearable: true, size: 'xs', flex: 1 } as const;
  return (
    <div className={classes.filters}>
      <Select
        {...clearable}
        aria-label="Found by layer"
        placeholder="Any layer"
        data={layers}
        value={view.layer ?? null}
        onChange={(layer) => onChange({ layer: (layer ?? undefined) as LayerCode | undefined })}
        clearButtonProps={{ 'aria-label': 'Any layer' }}
      />
      <SourceFilter
        job={job}
        view={view}
        outcomes={outcomes}
        onChange={onChange}
        refusal={refusalOf(job)}
      />
    </div>
  );
}

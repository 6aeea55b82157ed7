/** The search and the further filters above the grid of a job. */
import { CloseButton, Loader, Select, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import { type LayerCode, nameLayer } from '../../../engine/contract/jobs/layers.ts';
import type { RowView } from '../../../engine/contract/jobs/row-view.ts';
import { rowSearchCharactersMax } from '../../../engine/contract/limits/jobs.ts';
import { showCount } from '../../components/numbers.ts';
import classes from './outcome-bar.module.css';
import { useOutcomes } from './outcome-bar.tsx';
import { SourceFilter } from './source-filter.tsx';

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
        w={230}
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

/** The filters by layer and source. */
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

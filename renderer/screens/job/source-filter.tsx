/** The filter of rows by where their values are from: the directory, an import, data services. */

import { Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import type { Outcomes, RowSource, RowView } from '../../../engine/contract/jobs/row-view.ts';
import { directorySearch } from '../../../engine/contract/records/record-search.ts';
import { ask } from '../../api/client.ts';
import { showCount } from '../../components/numbers.ts';

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
  const { data } = useQuery({
    queryKey: ['found-people', 'origins', 'names'],
    queryFn: () => ask(directorySearch.origins),
    enabled: isWanted,
  });
  const names = data?.sources.map(({ source }) => source) ?? [];
  return chosen === undefined || names.includes(chosen) ? names : [chosen, ...names];
}

/** @param refusal why rows cannot be filtered by an import now; null if they can be */
export function SourceFilter({
  job,
  view,
  outcomes,
  refusal,
  onChange,
}: {
  job: StatusData;
  view: RowView;
  outcomes: Outcomes | undefined;
  refusal: string | null;
  onChange: (change: RowView) => void;
}) {
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

// Filters of a directory search: typed words and selected values.
import { Checkbox, MultiSelect, TextInput } from '@mantine/core';
import {
  directorySearch,
  type WantedPeople,
} from '../../../engine/contract/records/record-search.ts';
import type { SearchedDirectory } from '../../../engine/contract/search.ts';
import { useAnswer } from '../../api/live.ts';
import { showValue } from '../../components/words.ts';
import { type ChosenFilters, noFilters } from './chosen-filters.ts';
import classes from './directory.module.css';

/** The filters of a search, without empty ones. */
export const filtersOf = (chosen: ChosenFilters): WantedPeople =>
  Object.fromEntries(
    Object.entries(chosen)
      .map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const)
      .filter(([, value]) => (typeof value === 'boolean' ? value : value.length > 0)),
  );

const texts = [
  ['job_title', 'Job title'],
  ['company_name', 'Company'],
] as const;
const lists = [
  ['job_level', 'Level'],
  ['industry', 'Industry'],
  ['contact_office_country', 'Country'],
  ['employee_range', 'Employees'],
  ['revenue_range', 'Revenue'],
] as const;
const emailLabel = 'With an email';
const optionsShownMax = 100;

export const filterLabels: Readonly<Record<string, string>> = {
  query: 'Search text',
  ...Object.fromEntries([...texts, ...lists]),
  has_email: emailLabel,
};

type FilterName = keyof ChosenFilters;
const allFilterNames = Object.keys(noFilters) as FilterName[];
/** The filters of companies; their name is found by the text. */
export const companyFilterNames: readonly FilterName[] = [
  'industry',
  'contact_office_country',
  'employee_range',
  'revenue_range',
];

export function SearchFilters({
  chosen,
  generation,
  directory,
  names = allFilterNames,
  onChange,
}: {
  chosen: ChosenFilters;
  generation: number;
  directory: SearchedDirectory;
  names?: readonly FilterName[];
  onChange: (chosen: ChosenFilters) => void;
}) {
  const values = useAnswer(['search-values', generation, directory], directorySearch.values, {
    input: directory === 'own' ? {} : { directory },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isShown = ([name]: readonly [FilterName, ...string[]]) => names.includes(name);
  return (
    <div className={classes.filters}>
      {texts.filter(isShown).map(([name, label]) => (
        <TextInput
          key={name}
          size="sm"
          aria-label={label}
          placeholder={label}
          value={chosen[name]}
          maxLength={200}
          onChange={(event) => onChange({ ...chosen, [name]: event.currentTarget.value })}
        />
      ))}
      {lists.filter(isShown).map(([name, label]) => {
        const held = values.data?.[name] ?? [];
        // A filter without values would find nothing.
        if (values.data && held.length + chosen[name].length === 0) return null;
        return (
          <MultiSelect
            key={name}
            size="sm"
            aria-label={label}
            placeholder={label}
            data={held.map((value) => ({ value, label: showValue(name, value) }))}
            disabled={held.length === 0}
            value={[...chosen[name]]}
            onChange={(value) => onChange({ ...chosen, [name]: value })}
            classNames={{ inputField: classes.wanted ?? '' }}
            searchable
            clearable
            // As in ColumnSelect: Enter selects the first match, and the highlighted option stays.
            selectFirstOptionOnChange
            selectFirstOptionOnDropdownOpen
            limit={optionsShownMax}
            nothingFoundMessage="No such value"
            comboboxProps={{ transitionProps: { duration: 80 } }}
          />
        );
      })}
      {names.includes('has_email') && (
        <Checkbox
          className={classes.check}
          label={emailLabel}
          checked={chosen.has_email}
          onChange={(event) => onChange({ ...chosen, has_email: event.currentTarget.checked })}
        />
      )}
    </div>
  );
}

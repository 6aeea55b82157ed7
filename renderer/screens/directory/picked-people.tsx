// Picks some of the people that a search finds: by row, by page, or all that match.
import { Button, Group, Text } from '@mantine/core';
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ShownContact } from '../../../engine/contract/records/record-search.ts';
import { pageRows } from '../../api/transport/first-requests.ts';
import { countOf, showCount } from '../../components/numbers.ts';
import classes from './directory.module.css';
import type { FoundPages } from './found-pages.ts';

/** The ids of the people that are picked; null for all that are found. */
export type Picked = readonly string[] | null;

export interface Picks {
  readonly readFound: FoundPages<ShownContact>['readFound'];
  readonly isPicked: (row: number) => boolean;
  readonly toggle: (row: number) => void;
}

const rowOfGrid = (grid: Element | null): number | null => {
  const active = grid?.getAttribute('aria-activedescendant');
  const row = active?.split('-').at(-2);
  return row === undefined || Number.isNaN(Number(row)) ? null : Number(row);
};

interface PickBoxProps {
  row: number;
  picks: Picks;
}

/** The checkbox of a row. It is not a stop of the Tab key: the space bar picks the active row. */
export function PickBox({ row, picks: { readFound, isPicked, toggle } }: PickBoxProps) {
  const person = readFound(row);
  return (
    <input
      type="checkbox"
      className={classes.pick}
      tabIndex={-1}
      disabled={!person}
      aria-label={`Select ${person ? `${person.first_name} ${person.last_name}`.trim() : ''}`}
      checked={isPicked(row)}
      onChange={() => toggle(row)}
      // A click on the row opens the person.
      onClick={(event) => event.stopPropagation()}
    />
  );
}

function usePicks(
  readFound: Picks['readFound'],
  picked: Picked,
  onPicked: (picked: Picked) => void,
) {
  const ids = useMemo(() => new Set(picked), [picked]);
  const latest = useRef(onPicked);
  useEffect(() => {
    latest.current = onPicked;
  }, [onPicked]);
  const picks = useMemo<Picks>(
    () => ({
      readFound,
      isPicked: (row) => ids.has(readFound(row)?.uuid ?? ''),
      toggle: (row) => {
        const uuid = readFound(row)?.uuid;
        if (uuid === undefined) return;
        const next = ids.has(uuid) ? [...ids].filter((id) => id !== uuid) : [...ids, uuid];
        latest.current(next.length === 0 ? null : next);
      },
    }),
    [ids, readFound],
  );
  return { ids, picks };
}

interface PickedBarProps {
  found: FoundPages<ShownContact>;
  picked: Picked;
  onPicked: (picked: Picked) => void;
  children: (found: FoundPages<ShownContact>, picks: Picks) => ReactNode;
}

export function PickedBar({ found, picked, onPicked, children }: PickedBarProps) {
  const [page, setPage] = useState(0);
  const { readFound, rows, onSight: loadSight } = found;
  const onSight = useCallback(
    (first: number, last: number) => {
      loadSight(first, last);
      setPage(Math.floor(first / pageRows));
    },
    [loadSight],
  );
  const { ids, picks } = usePicks(readFound, picked, onPicked);
  const first = page * pageRows;
  const last = Math.min(rows, first + pageRows);
  const pickPage = () => {
    const seen = Array.from({ length: last - first }, (_, at) => readFound(first + at)?.uuid);
    onPicked([...new Set([...ids, ...seen.filter((uuid) => uuid !== undefined)])]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = event.key === ' ' ? rowOfGrid(event.target as Element) : null;
    if (row === null) return;
    event.preventDefault();
    event.stopPropagation();
    picks.toggle(row);
  };
  return (
    <>
      <Group gap="sm" mb="xs">
        <Text size="sm" role="status" className="numbers">
          {picked === null
            ? 'No rows selected: everyone who matches is included.'
            : `${countOf(picked.length, 'person', 'people')} selected.`}
        </Text>
        <Button size="xs" onClick={pickPage}>
          Select rows {showCount(first + 1)} to {showCount(last)}
        </Button>
        {picked !== null && (
          <Button size="xs" onClick={() => onPicked(null)}>
            Select all that match
          </Button>
        )}
      </Group>
      <div onKeyDownCapture={onKeyDown}>{children({ ...found, onSight }, picks)}</div>
    </>
  );
}

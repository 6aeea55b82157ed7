// The command palette: finds screens, actions, settings and jobs by letters of their names.
import { Kbd, Modal, TextInput, useMantineColorScheme } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Fragment, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { jobs as jobCalls } from '../../engine/contract/jobs/job.ts';
import { useAccounts, useAnswer, useAppState } from '../api/live.ts';
import { useShownParts } from '../screens/settings/shown-parts.ts';
import { type Command, commandGroups, listCommands, runCommand } from './command-table.tsx';
import { scoreText } from './fuzzy.ts';
import { closeDialog, takeTyped } from './open-dialog.ts';
import classes from './palette.module.css';

const storageKey = 'desk-recent-commands';
const keptMax = 8;

/** Ids of commands, newest first. */
function readRecent(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

function noteRecent(id: string): void {
  const recent = [id, ...readRecent().filter((one) => one !== id)].slice(0, keptMax);
  localStorage.setItem(storageKey, JSON.stringify(recent));
}

/** Jobs that can be found by name: the newest. */
const jobsMax = 100;
const shownMax = 50;
/** Jobs are shown without a word for them only while they are few. */
const jobsFirstMax = 5;

interface Listed {
  readonly heading: string;
  readonly commands: readonly Command[];
}

/** The list without words: recent commands, then all by group. */
function listFirst(commands: readonly Command[], recent: readonly string[]): Listed[] {
  const last = recent.flatMap((id) => commands.find((command) => command.id === id) ?? []);
  const groups = Object.entries(commandGroups).map(([group, heading]) => {
    const found = commands.filter((one) => one.group === group && !last.includes(one));
    return { heading, commands: group === 'job' ? found.slice(0, jobsFirstMax) : found };
  });
  return [{ heading: 'Recent', commands: last }, ...groups];
}

/** The commands that fit, best first. A word for a command counts less than its title. */
function listFound(commands: readonly Command[], wanted: string): Listed[] {
  const scored = commands.flatMap((command) => {
    const title = scoreText(wanted, command.title);
    const words = command.words?.toLowerCase().includes(wanted.trim().toLowerCase()) ? 5 : null;
    if (title === null && words === null) return [];
    return [{ command, score: Math.max(title ?? words ?? 0, words ?? 0) }];
  });
  const sorted = scored.sort((one, other) => other.score - one.score).slice(0, shownMax);
  return [{ heading: '', commands: sorted.map(({ command }) => command) }];
}

function useCommands() {
  const { data: accounts } = useAccounts();
  const { data: state } = useAppState();
  const { data: jobs } = useAnswer(['jobs', 'commands'], jobCalls.list, {
    input: {
      limit: jobsMax,
      offset: 0,
    },
  });
  const parts = useShownParts();
  return useMemo(
    () => listCommands(jobs?.results ?? [], accounts ?? [], state?.account.id, parts),
    [jobs, accounts, state?.account.id, parts],
  );
}

interface OptionProps {
  command: Command;
  id: string;
  isActive: boolean;
  onPick: () => void;
  onHover: () => void;
}

function Option({ command, id, isActive, onPick, onHover }: OptionProps) {
  const line = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isActive) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const { Icon } = command;
  return (
    <button
      ref={line}
      type="button"
      role="option"
      id={id}
      // The field keeps the focus, and its keys choose the option.
      tabIndex={-1}
      aria-selected={isActive}
      className={classes.option}
      onClick={onPick}
      onMouseMove={onHover}
    >
      <Icon size={16} stroke={1.7} aria-hidden />
      <span className={classes.title} dir="auto">
        {command.title}
      </span>
    </button>
  );
}

/** How a key moves the active option; null if it does not. */
const moves: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at + count - 1) % count,
  PageDown: (at, count) => Math.min(at + 8, count - 1),
  PageUp: (at) => Math.max(at - 8, 0),
};

function usePalette() {
  const [words, setWords] = useState('');
  const [active, setActive] = useState(0);
  const [recent] = useState(readRecent);
  const [, navigate] = useLocation();
  const { setColorScheme } = useMantineColorScheme();
  const commands = useCommands();
  const lists = (words.trim() ? listFound(commands, words) : listFirst(commands, recent)).filter(
    (list) => list.commands.length > 0,
  );
  const flat = lists.flatMap((list) => list.commands);
  const at = Math.min(active, Math.max(flat.length - 1, 0));
  const pick = (command: Command | undefined) => {
    if (!command) return;
    noteRecent(command.id);
    runCommand(command, { navigate, setColorScheme });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') closeDialog();
    else if (event.key === 'Enter') pick(flat[at]);
    else if (!moves[event.key] || flat.length === 0) return;
    else setActive(moves[event.key]?.(at, flat.length) ?? 0);
    event.preventDefault();
  };
  const search = (text: string) => {
    setWords(text);
    setActive(0);
  };
  return { words, search, lists, flat, at, pick, setActive, onKeyDown };
}

interface ListProps {
  readonly id: string;
  readonly lists: readonly Listed[];
  /** The place of the active option in the whole list. */
  readonly at: number;
  readonly onPick: (command: Command) => void;
  readonly onHover: (at: number) => void;
}

function CommandList({ id, lists, at, onPick, onHover }: ListProps) {
  const starts = lists.map((_, nth) =>
    lists.slice(0, nth).reduce((sum, { commands }) => sum + commands.length, 0),
  );
  return (
    <div id={id} role="listbox" aria-label="Commands" className={classes.list}>
      {lists.map(({ heading, commands }, nth) => (
        <Fragment key={heading}>
          {heading && (
            <div className={classes.group} aria-hidden>
              {heading}
            </div>
          )}
          {commands.map((command, inList) => {
            const place = (starts[nth] ?? 0) + inList;
            return (
              <Option
                key={command.id}
                command={command}
                id={`${id}-${place}`}
                isActive={place === at}
                onPick={() => onPick(command)}
                onHover={() => onHover(place)}
              />
            );
          })}
        </Fragment>
      ))}
    </div>
  );
}

const keyHints = [
  ['↑ ↓', 'choose'],
  ['Enter', 'run'],
  ['Esc', 'close'],
] as const;

export default function Palette() {
  const { words, search, lists, flat, at, pick, setActive, onKeyDown } = usePalette();
  const id = `${useId()}-list`;
  return (
    <Modal.Root
      opened
      onClose={closeDialog}
      returnFocus={false}
      size={560}
      yOffset="12vh"
      centered={false}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Commands">
        <TextInput
          className={classes.field}
          data-autofocus
          // Otherwise Escape would also close a dialog below.
          data-mantine-stop-propagation="true"
          role="combobox"
          aria-label="Find a command, screen or job"
          aria-expanded
          aria-controls={id}
          aria-activedescendant={flat.length > 0 ? `${id}-${at}` : undefined}
          placeholder="Find a command, screen or job"
          leftSection={<IconSearch size={18} aria-hidden />}
          value={words}
          onChange={(event) => search(event.currentTarget.value)}
          onFocus={() => {
            const early = takeTyped();
            if (early) search(early);
          }}
          onKeyDown={onKeyDown}
        />
        <CommandList id={id} lists={lists} at={at} onPick={pick} onHover={setActive} />
        {flat.length === 0 && (
          <div className={classes.empty} role="status">
            No command, screen or job matches “{words.trim()}”.
          </div>
        )}
        <div className={classes.foot} aria-hidden>
          {keyHints.map(([keys, does]) => (
            <span key={keys}>
              <Kbd size="xs">{keys}</Kbd> {does}
            </span>
          ))}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

// The parts of a screen as links, one of which is shown.
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import classes from './link-tabs.module.css';

export interface TabLink {
  readonly path: string;
  readonly label: string;
}

interface LinkTabsProps {
  label: string;
  tabs: Readonly<Record<string, TabLink>>;
  current: string;
}

/** @param label accessible name @param tabs by name @param current name of the one that is shown */
export function LinkTabs({ label, tabs, current }: LinkTabsProps) {
  const list = useRef<HTMLUListElement>(null);
  // In a narrow window the current part may be behind the end of the line.
  const position = Object.keys(tabs).indexOf(current);
  useEffect(() => {
    const tab = list.current?.children[position];
    if (list.current && tab instanceof HTMLElement)
      list.current.scrollLeft = tab.offsetLeft - list.current.offsetLeft;
  }, [position]);
  return (
    <nav aria-label={label}>
      <ul className={classes.tabs} ref={list}>
        {Object.entries(tabs).map(([name, tab]) => (
          <li key={name}>
            <Link
              href={tab.path}
              className={classes.tab}
              aria-current={name === current ? 'page' : undefined}
            >
              {tab.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

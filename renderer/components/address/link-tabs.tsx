/** The parts of a screen as links, one of which is shown. */
import { Link } from 'wouter';
import classes from './link-tabs.module.css';

export interface TabLink {
  readonly path: string;
  readonly label: string;
}

/**
 * @param label accessible name
 * @param tabs by name
 * @param current name of the one that is shown
 */
export const LinkTabs = ({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: Readonly<Record<string, TabLink>>;
  current: string;
}) => (
  <nav aria-label={label}>
    <ul className={classes.tabs}>
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

/** The frame of every part of the directory: the title, and links to the parts. */
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Page } from '../../components/page.tsx';
import classes from './directory.module.css';

const parts = {
  people: ['/directory', 'People'],
  companies: ['/directory/companies', 'Companies'],
  imports: ['/directory/imports', 'Imports'],
  suppressed: ['/directory/suppression', 'Suppressed'],
  duplicates: ['/directory/duplicates', 'Duplicates'],
} as const;

/** The page; `part` is the one that is shown. */
export function DirectoryPage({
  part,
  sentence,
  children,
}: {
  part: keyof typeof parts;
  sentence: string;
  children: ReactNode;
}) {
  return (
    <Page
      title="Directory"
      sentence={sentence}
      action={
        <Anchor component={Link} href="/directory/person-data" size="sm">
          A person’s data
        </Anchor>
      }
    >
      <nav aria-label="Parts of the directory">
        <ul className={classes.tabs}>
          {Object.entries(parts).map(([name, [path, label]]) => (
            <li key={name}>
              <Link
                href={path}
                className={classes.tab}
                aria-current={name === part ? 'page' : undefined}
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </Page>
  );
}

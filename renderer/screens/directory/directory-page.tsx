// The frame of every part of the directory: the title, and links to the parts.
import type { ReactNode } from 'react';
import { LinkTabs } from '../../components/address/link-tabs.tsx';
import { Page } from '../../components/page.tsx';
import { ScreenLink } from '../../components/text.tsx';

const parts = {
  people: { path: '/directory', label: 'People' },
  companies: { path: '/directory/companies', label: 'Companies' },
  contacts: { path: '/directory/contacts', label: 'Emails and phones' },
  imports: { path: '/directory/imports', label: 'Imports' },
  suppressed: { path: '/directory/suppression', label: 'Suppressed' },
  duplicates: { path: '/directory/duplicates', label: 'Duplicates' },
} as const;

interface DirectoryPageProps {
  part: keyof typeof parts;
  sentence: string;
  children: ReactNode;
}

/** The page; `part` is the one that is shown. */
export function DirectoryPage({ part, sentence, children }: DirectoryPageProps) {
  return (
    <Page
      title="Directory"
      sentence={sentence}
      action={<ScreenLink href="/directory/person-data">Privacy requests</ScreenLink>}
    >
      <LinkTabs label="Parts of the directory" tabs={parts} current={part} />
      {children}
    </Page>
  );
}

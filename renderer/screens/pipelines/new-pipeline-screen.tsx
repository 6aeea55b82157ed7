/** A new pipeline, on one page that grows: contacts, values to unlock, price. */

import { Anchor, SegmentedControl, Skeleton } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { pipelineContactsMax } from '../../../engine/contract/limits/pipelines.ts';
import { useDirectory } from '../../api/directory.ts';
import { DropArea } from '../../components/drop-area.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showCount } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { noFilters } from '../directory/chosen-filters.ts';
import { onlyDirectory } from '../directory/directory-choice.tsx';
import { usePeopleSearch } from '../directory/found-list.tsx';
import type { Wanted } from '../directory/found-pages.ts';
import { ColumnsStep, canIdentify } from '../enrich/columns-step.tsx';
import { FileStep } from '../enrich/file-step.tsx';
import { FlowScope, useFlow } from '../enrich/flow.tsx';
import { type Draft, useDraft } from './draft.tsx';
import { countPeople, NoPeople, PeopleStep } from './people-step.tsx';
import { proposeTitle } from './pipeline-words.ts';
import { PriceStep, type Subject } from './price-step.tsx';
import { UnlockStep } from './unlock-step.tsx';

/** The people that were picked, or the first of all that are found. */
function subjectOf({ picked, limit, directory }: Draft, wanted: Wanted, people: number): Subject {
  if (picked !== null) return { uuids: [...picked] };
  // The number of the team's people may be an estimate: those beyond it are not left out.
  return directory === 'team'
    ? { filters: { ...wanted, directory, limit: limit ?? pipelineContactsMax } }
    : { filters: { ...wanted, limit: people } };
}

function FromSearch({ generation, canChoose }: { generation: number; canChoose: boolean }) {
  const { draft } = useDraft();
  const search = usePeopleSearch(draft, generation);
  const people = countPeople(search.found.total, draft);
  // During typing, the result of the filters is not known yet.
  const isKnown = search.isSettled && people > 0 && !search.found.error;
  return (
    <>
      <PeopleStep search={search} generation={generation} canChoose={canChoose} />
      <UnlockStep number={2} />
      <PriceStep
        number={3}
        subject={isKnown ? subjectOf(draft, search.wanted, people) : null}
        proposal={proposeTitle(draft)}
        whenNobody="Choose the contacts and the values above to see the price here."
      />
    </>
  );
}

function FromDirectory() {
  const { data, error, refetch } = useDirectory();
  const { draft, change } = useDraft();
  const only = data ? onlyDirectory(data.has_team, data.people) : null;
  const isOther = only !== null && draft.directory !== only;
  // The team's directory may have been switched off since, or the own one emptied.
  useEffect(() => {
    if (isOther) change({ directory: only, chosen: noFilters, picked: null });
  }, [isOther, only, change]);
  if (error)
    return <ErrorPanel title="The directory could not be loaded" error={error} onRetry={refetch} />;
  if (!data || isOther) return <Skeleton height={240} />;
  if (data.people === 0 && only === 'own') return <NoPeople />;
  return <FromSearch generation={data.generation} canChoose={only === null} />;
}

const rowsMax = showCount(pipelineContactsMax);
const dropHint =
  `CSV or Excel, at most ${rowsMax} rows. ` +
  'It stays on this machine unless you turn on a data service or a team’s directory.';
const bareName = (name: string) => name.replace(/\.[a-z]{2,5}$/i, '');

function FromFile() {
  const { flow, actions } = useFlow();
  if (flow.name === null)
    return (
      <DropArea
        tall
        label="Drop a spreadsheet, or choose one"
        hint={dropHint}
        onFile={(file) => void actions.choose({ file })}
      />
    );
  const { upload, mapping } = flow;
  if (!upload) return <FileStep />;
  const isReady = canIdentify(mapping);
  return (
    <>
      <FileStep />
      <ColumnsStep upload={upload} />
      <UnlockStep number={3} />
      <PriceStep
        key={upload.upload_id}
        number={4}
        subject={isReady ? { upload_id: upload.upload_id, mapping } : null}
        proposal={bareName(upload.file_name)}
        whenNobody="Complete the steps above to see the price."
      />
    </>
  );
}

export function NewPipelineScreen() {
  const { draft, file, change } = useDraft();
  return (
    <Page
      title="Show emails and phones"
      sentence={
        <nav aria-label="Breadcrumbs">
          <Anchor component={Link} href="/directory/contacts" size="sm">
            Emails and phones
          </Anchor>{' '}
          / People are looked up, known values are shown, and emails are verified.
        </nav>
      }
    >
      <SegmentedControl
        aria-label="Source of contacts"
        w="fit-content"
        transitionDuration={0}
        data={[
          { value: 'people', label: 'People in the directory' },
          { value: 'file', label: 'A spreadsheet' },
        ]}
        value={draft.source}
        onChange={(source) => change({ source: source as Draft['source'], title: null })}
      />
      {draft.source === 'people' ? (
        <FromDirectory />
      ) : (
        <FlowScope value={file}>
          <FromFile />
        </FlowScope>
      )}
    </Page>
  );
}

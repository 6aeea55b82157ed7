// A new pipeline, on one page that grows: contacts, values to unlock, price.
import { Checkbox, Group, NumberInput, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useEffect } from 'react';
import { formatCredits } from '../../../engine/contract/credits.ts';
import { pipelineContactsMax } from '../../../engine/contract/limits/pipelines.ts';
import { lookupPrices } from '../../../engine/contract/lookup.ts';
import { type PipelineKind, pipelineKinds } from '../../../engine/contract/pipelines/pipeline.ts';
import { type Rate, rates } from '../../../engine/contract/rate-card.ts';
import { useDirectory } from '../../api/directory.ts';
import { useAnswer } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countCredits, countOf, showCount } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Note, ScreenLink } from '../../components/text.tsx';
import { noFilters } from '../directory/chosen-filters.ts';
import { DirectoryChoice, onlyDirectory } from '../directory/directory-choice.tsx';
import { FoundList, usePeopleSearch } from '../directory/found-list.tsx';
import type { Wanted } from '../directory/found-pages.ts';
import { peopleField, SearchField } from '../directory/search-field.tsx';
import { ColumnsStep, canIdentify } from '../enrich/columns-step.tsx';
import { FileStep } from '../enrich/file-step.tsx';
import { FlowScope, useFlow } from '../enrich/flow.tsx';
import { ChooseList } from '../enrich/leave-list.tsx';
import { Step } from '../enrich/step.tsx';
import { type Draft, useDraft } from './draft.tsx';
import { capital, kindWords, proposeTitle } from './pipeline-words.ts';
import classes from './pipelines.module.css';
import { PriceStep, type Subject } from './price-step.tsx';

interface Choice {
  readonly name: string;
  readonly price: string;
  readonly sentence: string;
  readonly checked: boolean;
  /** Why it cannot be selected now; null if it can. */
  readonly refusal: string | null;
  readonly onToggle: () => void;
}

function ChoiceCard({ name, price, sentence, checked, refusal, onToggle }: Choice) {
  const id = `unlock-${name.replaceAll(' ', '-').toLowerCase()}`;
  return (
    <Checkbox.Card
      className={classes.choice}
      data-off={refusal !== null || undefined}
      checked={checked}
      disabled={refusal !== null}
      onClick={() => refusal === null && onToggle()}
      aria-label={`${name}, ${countCredits(price)} each`}
      aria-describedby={id}
    >
      <span className={classes.choiceHead}>
        <Checkbox.Indicator size="xs" mt={2} />
        <span className={classes.choiceName}>{name}</span>
        <span className={classes.choicePrice}>{countCredits(price)}</span>
      </span>
      <Text size="sm" span display="block" id={id}>
        {refusal ?? sentence}
      </Text>
    </Checkbox.Card>
  );
}

const namesOf = ({ unlock, verify }: Draft): string => {
  const kinds = pipelineKinds.filter((kind) => unlock[kind]).map((kind) => kindWords[kind]);
  if (kinds.length === 0) return 'Nothing chosen';
  return `${capital(kinds.join(' and '))}${verify ? ', verified' : ''}`;
};

/** Why emails cannot be verified now; null if they can. */
function refuseVerify(rate: Rate, { unlock }: Draft): string | null {
  if (!rate.active) return 'Switched off for this account in Settings.';
  return unlock.email ? null : 'Choose Email first. Emails that are shown are verified.';
}

function Choices({ validation }: { validation: Rate | undefined }) {
  const { draft, change } = useDraft();
  const { unlock, verify } = draft;
  const toggle = (kind: PipelineKind) => {
    const next = { ...unlock, [kind]: !unlock[kind] };
    change({ unlock: next, verify: verify && next.email });
  };
  return (
    <div className={classes.choices}>
      <ChoiceCard
        name="Email"
        price={formatCredits(lookupPrices.email)}
        sentence="The work email. Yours from then on."
        checked={unlock.email}
        refusal={null}
        onToggle={() => toggle('email')}
      />
      <ChoiceCard
        name="Phone"
        price={formatCredits(lookupPrices.phone)}
        sentence="The mobile or direct phone. Yours from then on."
        checked={unlock.phone}
        refusal={null}
        onToggle={() => toggle('phone')}
      />
      {validation ? (
        <ChoiceCard
          name="Verify"
          price={validation.price}
          sentence="Validates each email. Undecided ones are free."
          checked={verify}
          refusal={refuseVerify(validation, draft)}
          onToggle={() => change({ verify: !verify })}
        />
      ) : (
        <Skeleton height={92} />
      )}
    </div>
  );
}

/** What is open without a list, and why a list has a price all the same. */
const whyPay =
  'What you imported is already visible in Directory and in jobs. A list counts it in credits, a ' +
  'free local budget that shows who took which email or phone and limits keys and assistants.';

function UnlockStep({ number }: { number: number }) {
  const { draft } = useDraft();
  const known = useAnswer(['rates'], rates.list);
  const { unlock } = draft;
  return (
    <Step
      number={number}
      title="Emails and phones"
      facts={
        <>
          <strong>{namesOf(draft)}</strong> · you pay only for values that are found, and once for
          each
        </>
      }
    >
      <Note>{whyPay}</Note>
      <ErrorPanel
        title="The price of verification could not be loaded"
        error={known.error}
        onRetry={known.refetch}
      />
      <Choices validation={known.data?.find(({ code }) => code === 'email_validation')} />
      {!unlock.email && !unlock.phone && (
        <Text size="sm" c="var(--desk-failed)" role="status">
          Choose emails, phones, or both.
        </Text>
      )}
    </Step>
  );
}

/** The number of found people to take. */
const countPeople = (
  total: number | undefined,
  { picked, limit }: Pick<Draft, 'picked' | 'limit'>,
): number => {
  if (picked) return picked.length;
  return Math.min(total ?? 0, limit ?? pipelineContactsMax, pipelineContactsMax);
};

function Facts({ total, isEstimate }: { total: number | undefined; isEstimate: boolean }) {
  const { draft } = useDraft();
  if (total === undefined) return 'Counting …';
  const people = countPeople(total, draft);
  const whose = draft.directory === 'team' ? ' in the team’s directory' : '';
  if (draft.picked)
    return (
      <>
        <strong>{countOf(people, 'person', 'people')}</strong> selected of {isEstimate && 'about '}
        {showCount(total)} found{whose}
      </>
    );
  if (people < total)
    return (
      <>
        The first <strong>{showCount(people)}</strong> of {isEstimate && 'about '}
        {countOf(total, 'person', 'people')} found{whose}
      </>
    );
  return (
    <>
      {isEstimate && 'About '}
      <strong>{countOf(total, 'person', 'people')}</strong> found{whose}
    </>
  );
}

function TooMany({ total }: { total: number }) {
  if (total <= pipelineContactsMax) return null;
  return (
    <Note>
      At most {showCount(pipelineContactsMax)} people are taken. Narrow the filters to reach the
      others.
    </Note>
  );
}

interface PeopleStepProps {
  search: ReturnType<typeof usePeopleSearch>;
  generation: number;
  canChoose: boolean;
}

/**
 * @param generation of the directory; a new one refreshes the results
 * @param canChoose whether both the own directory and the team's have people
 */
function PeopleStep({ search, generation, canChoose }: PeopleStepProps) {
  const { draft, change } = useDraft();
  const { total, isEstimate } = search.found;
  return (
    <Step number={1} title="People" facts={<Facts total={total} isEstimate={isEstimate} />}>
      {canChoose && (
        <DirectoryChoice
          directory={draft.directory}
          // The values of the filters are those of the other directory.
          onChange={(directory) => change({ chosen: noFilters, directory, picked: null })}
        />
      )}
      <SearchField
        label={peopleField}
        text={draft.text}
        onText={(text) => change({ text, picked: null })}
      />
      <FoundList
        search={search}
        typed={draft}
        generation={generation}
        onChange={(part) => change({ ...part, picked: null })}
        picking={{ picked: draft.picked, onPicked: (picked) => change({ picked }) }}
      />
      <Group gap="md" align="flex-end">
        <NumberInput
          size="sm"
          w={172}
          label="Take at most"
          disabled={draft.picked !== null}
          placeholder="all found"
          min={1}
          max={pipelineContactsMax}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          value={draft.limit ?? ''}
          onChange={(value) => change({ limit: Number(value) > 0 ? Number(value) : null })}
        />
        {total !== undefined && <TooMany total={total} />}
      </Group>
    </Step>
  );
}

/** Replaces the step while the directory is empty. */
function NoPeople() {
  return (
    <Step number={1} title="People" facts="Your directory is empty, so no people can be found.">
      <Text size="sm">
        <ScreenLink underline="always" href="/directory">
          Import people or load the sample
        </ScreenLink>
        ; your choices here are kept.
      </Text>
    </Step>
  );
}

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
  const { flow } = useFlow();
  if (flow.name === null) return <ChooseList hint={dropHint} />;
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
          <ScreenLink href="/directory/contacts">Emails and phones</ScreenLink> / People are looked
          up, known values are shown, and emails are verified.
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

// The decision about a row in its details: the evidence for each candidate, and the choice.
import { Button, Group, Kbd, Progress, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import {
  IconArrowBackUp,
  IconCheck,
  IconEqualNot,
  IconMinus,
  IconTilde,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Candidate as Considered, MatchField } from '../../../engine/contract/jobs/job.ts';
import {
  type Evidence as FieldEvidence,
  type ReviewRow,
  unlikelyReasons,
  type Verdict,
} from '../../../engine/contract/jobs/review.ts';
import { type RowInputField, rowInputFields } from '../../../engine/contract/jobs/row-input.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countOf, showCount, showShare } from '../../components/numbers.ts';
import { Caption, Note } from '../../components/text.tsx';
import { fieldLabels } from '../../components/words.ts';
import classes from './row-panel.module.css';
import { BrokenLines } from './row-values.tsx';
import type { Review } from './use-review.ts';

type Candidate = ReviewRow['candidates'][number];

const verdictLooks: Readonly<
  Record<Exclude<Verdict, 'not_given'>, { readonly word: string; readonly Icon: typeof IconCheck }>
> = {
  same: { word: 'same', Icon: IconCheck },
  similar: { word: 'similar', Icon: IconTilde },
  different: { word: 'different', Icon: IconEqualNot },
  other_kind: { word: 'other kind', Icon: IconMinus },
};

const domainOf = (email: string): string => email.slice(email.indexOf('@')).toLowerCase();

/** What tells two values of different kinds apart. */
function nameKinds({ field, given, known }: FieldEvidence): string {
  if (field === 'profile_url') return 'other site';
  return domainOf(given) === domainOf(known) ? 'office address' : 'other domain';
}

interface KeyButtonProps {
  label: ReactNode;
  keyName: string;
  onClick: () => void;
  icon?: ReactNode;
}

function KeyButton({ label, keyName, onClick, icon }: KeyButtonProps) {
  return (
    <Button
      size="xs"
      flex="none"
      onClick={onClick}
      leftSection={icon}
      aria-keyshortcuts={keyName}
      rightSection={
        <Kbd size="xs" aria-hidden>
          {keyName}
        </Kbd>
      }
    >
      {label}
    </Button>
  );
}

const Known = ({ text }: { text: string }) => (
  <bdi className={classes.known}>
    <BrokenLines text={text} />
  </bdi>
);

function EvidenceCell({ candidate, field }: { candidate: Candidate; field: RowInputField }) {
  const found = candidate.evidence.find((one) => one.field === (field as MatchField));
  if (!found) return <span className={classes.unknown}>not on file</span>;
  if (found.verdict === 'not_given') return <Known text={found.known} />;
  const { word, Icon } = verdictLooks[found.verdict];
  const known = found.known || (found.verdict === 'same' ? found.given : '');
  return (
    <>
      <Known text={known} />
      <span className={classes.verdict} data-verdict={found.verdict}>
        <Icon size={14} aria-hidden />{' '}
        {found.verdict === 'other_kind' && known ? nameKinds(found) : word}
      </span>
    </>
  );
}

/** Fields that a row about a company may have; any other is about a person. */
const companyFields: ReadonlySet<RowInputField> = new Set([
  'company_name',
  'company_domain',
  'country',
  'client_reference_id',
]);

function CandidateEvidence({
  row: { input },
  candidate,
  number,
  isAlone,
  fields,
  onChoose,
}: {
  row: ReviewRow;
  candidate: Candidate;
  number: number;
  isAlone: boolean;
  fields: readonly RowInputField[];
  onChoose: () => void;
}) {
  const { name, title, company_name: company, score } = candidate;
  const isPerson = fields.some((field) => !companyFields.has(field));
  return (
    <section aria-label={`Candidate ${number}: ${name}`} className={classes.candidate}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div className={classes.who}>
          <Text fw={600}>
            <bdi>{name || 'No name'}</bdi>
          </Text>
          <Note>
            <bdi>
              {[title, company].filter(Boolean).join(', ') ||
                (isPerson ? 'No current job on file' : 'Company')}
            </bdi>
          </Note>
          <Caption className="numbers">{showShare(score)} sure</Caption>
        </div>
        <KeyButton
          keyName={String(number)}
          onClick={onChoose}
          label={
            <>
              {isAlone ? 'Yes' : 'Choose'}{' '}
              <VisuallyHidden>{name || `candidate ${number}`}</VisuallyHidden>
            </>
          }
        />
      </Group>
      <table className={classes.values}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Yours</th>
            <th scope="col">On file</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">
                {field === 'first_name' && !input.last_name ? 'Name' : fieldLabels[field]}
              </th>
              <td dir="auto">
                <BrokenLines text={input[field] ?? '–'} />
              </td>
              <td>
                <EvidenceCell candidate={candidate} field={field} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Evidence({ row, onChoose }: { row: ReviewRow; onChoose: (at: number) => void }) {
  const { candidates, input } = row;
  const isCompared = (field: RowInputField) =>
    candidates.some(({ evidence }) => evidence.some((one) => one.field === (field as MatchField)));
  const fields = rowInputFields.filter(
    (field) => isCompared(field) || (input[field] !== undefined && field !== 'client_reference_id'),
  );
  return candidates.map((candidate, at) => (
    <CandidateEvidence
      key={candidate.upstream_contact_uuid}
      row={row}
      candidate={candidate}
      number={at + 1}
      isAlone={candidates.length === 1}
      fields={fields}
      onChoose={() => onChoose(at)}
    />
  ));
}

function ReviewProgress({ review: { decided, waiting } }: { review: Review }) {
  const total = decided + waiting;
  return (
    <div>
      <Text size="sm" className="numbers" role="status">
        {showCount(decided)} of {countOf(total, 'row')} decided
      </Text>
      <Progress
        mt={4}
        size="xs"
        value={total > 0 ? (decided / total) * 100 : 100}
        aria-label="Rows decided"
      />
    </div>
  );
}

/** What is said when no row is left. */
const describeDone = ({ waiting }: Review): string =>
  waiting === 0
    ? 'No row waits for a decision. Your decisions are in the result and in every saved file.'
    : `This was the last row. You left ${countOf(waiting, 'row')} undecided. ` +
      'Nothing was added to them, and you can decide at any time.';

function Question({ candidates }: { candidates: readonly Considered[] }) {
  const [{ name } = { name: '' }] = candidates;
  return (
    <Title order={3}>
      {candidates.length === 1 ? (
        <>
          Is it <bdi>{name || 'this one'}</bdi>?
        </>
      ) : (
        'Which one is it?'
      )}
    </Title>
  );
}

interface RowReviewProps {
  review: Review;
  /** Of the row's result, which is known before their evidence. */
  considered: readonly Considered[];
}

/** The section; nothing for a row that does not wait, unless it was decided here. */
export function RowReview({ review, considered }: RowReviewProps) {
  const { row, undo, goThroughSkipped } = review;
  const isAlone = row?.candidates.length === 1;
  useHotkeys([
    ['1', () => review.choose(0)],
    ['2', () => review.choose(1)],
    ['3', () => review.choose(2)],
    ['0', () => review.choose(null)],
    ['s', () => review.skip()],
    ['g', () => goThroughSkipped?.()],
    ['u', () => review.isHere && undo?.()],
    ['mod+z', () => review.isHere && undo?.()],
  ]);
  if (review.error)
    return (
      <ErrorPanel
        title="The candidates could not be loaded"
        error={review.error}
        onRetry={review.retry}
      />
    );
  if (review.isLoading)
    return (
      <section aria-label="Review" aria-busy className={classes.review}>
        <Question candidates={considered} />
        <Skeleton height={220} />
      </section>
    );
  if (!review.isHere) return null;
  return (
    <section aria-label="Review" className={classes.review}>
      <ReviewProgress review={review} />
      {row && (
        <>
          <Question candidates={row.candidates} />
          {unlikelyReasons.includes(row.reason) && (
            <Text size="sm">
              Nothing matches with enough confidence.{' '}
              {isAlone ? 'This is the closest.' : 'These are the closest.'}
            </Text>
          )}
          <Evidence row={row} onChoose={review.choose} />
        </>
      )}
      {!row && review.isDone && <Text size="sm">{describeDone(review)}</Text>}
      <Group gap="xs" className={classes.decide}>
        {row && (
          <>
            <KeyButton
              label={isAlone ? 'No' : 'None of them'}
              keyName="0"
              onClick={() => review.choose(null)}
            />
            <KeyButton label="Skip for now" keyName="S" onClick={review.skip} />
          </>
        )}
        {goThroughSkipped && (
          <KeyButton label="Go through them" keyName="G" onClick={goThroughSkipped} />
        )}
        {undo && (
          <KeyButton
            label="Undo"
            keyName="U"
            onClick={undo}
            icon={<IconArrowBackUp size={14} aria-hidden />}
          />
        )}
      </Group>
    </section>
  );
}

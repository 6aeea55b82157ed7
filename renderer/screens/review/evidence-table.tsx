/** A row of the list next to its candidates, field by field, with agreements and conflicts. */
import { Box, Button, Kbd, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconEqualNot, IconTilde } from '@tabler/icons-react';
import type { MatchField } from '../../../engine/contract/jobs/job.ts';
import type { ReviewRow, Verdict } from '../../../engine/contract/jobs/review.ts';
import { type RowInputField, rowInputFields } from '../../../engine/contract/jobs/row-input.ts';
import { showShare } from '../../components/numbers.ts';
import { fieldLabels } from '../../components/words.ts';
import classes from './review.module.css';

type Candidate = ReviewRow['candidates'][number];

const verdictLooks: Readonly<
  Record<Verdict, { readonly word: string; readonly Icon: typeof IconCheck }>
> = {
  same: { word: 'same', Icon: IconCheck },
  similar: { word: 'similar', Icon: IconTilde },
  different: { word: 'different', Icon: IconEqualNot },
};

/** Who the candidate is, with the button that chooses it. */
function CandidateHead({
  candidate: { name, title, company_name: company, score },
  number,
  onChoose,
}: {
  candidate: Candidate;
  number: number;
  onChoose: () => void;
}) {
  return (
    <>
      <Text fw={600} className={classes.name}>
        <bdi>{name || 'No name'}</bdi>
      </Text>
      <Text size="sm" c="dimmed" className={classes.name}>
        <bdi>{[title, company].filter(Boolean).join(', ') || 'No current job on file'}</bdi>
      </Text>
      <Text size="xs" c="dimmed" className="numbers">
        Match score {showShare(score)}
      </Text>
      <Button
        variant="default"
        size="sm"
        mt={8}
        fullWidth
        onClick={onChoose}
        aria-keyshortcuts={String(number)}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {number}
          </Kbd>
        }
      >
        Choose <VisuallyHidden>{name || `candidate ${number}`}</VisuallyHidden>
      </Button>
    </>
  );
}

/** What is known of a candidate in one field, and how it compares. */
function EvidenceCell({ candidate, field }: { candidate: Candidate; field: RowInputField }) {
  const found = candidate.evidence.find((one) => one.field === (field as MatchField));
  if (!found) return <span className={classes.unknown}>not on file</span>;
  const { word, Icon } = verdictLooks[found.verdict];
  const known = found.known || (found.verdict === 'same' ? found.given : '');
  return (
    <>
      <bdi className={classes.known}>{known}</bdi>
      <span className={classes[found.verdict]}>
        <Icon size={14} aria-hidden /> {word}
      </span>
    </>
  );
}

/** The table: fields are lines; the row of the list and its candidates are columns. */
export function EvidenceTable({
  row: { input, candidates },
  onChoose,
}: {
  row: ReviewRow;
  onChoose: (at: number) => void;
}) {
  const isCompared = (field: RowInputField) =>
    candidates.some(({ evidence }) => evidence.some((one) => one.field === (field as MatchField)));
  const fields = rowInputFields.filter(
    (field) => input[field] !== undefined && (field !== 'client_reference_id' || isCompared(field)),
  );
  return (
    <Box component="section" className={classes.scroll} tabIndex={0} aria-label="Evidence">
      <table className={classes.evidence}>
        <thead>
          <tr>
            <td />
            <th scope="col">Your row</th>
            {candidates.map((candidate, at) => (
              <th key={candidate.upstream_contact_uuid} scope="col">
                <CandidateHead
                  candidate={candidate}
                  number={at + 1}
                  onChoose={() => onChoose(at)}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">
                {field === 'first_name' && !input.last_name ? 'Name' : fieldLabels[field]}
              </th>
              <td className={classes.name}>{input[field]}</td>
              {candidates.map((candidate) => (
                <td key={candidate.upstream_contact_uuid}>
                  <EvidenceCell candidate={candidate} field={field} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}

/** One candidate of a row: the person, and the evidence for and against. */
import { Button, Card, Group, Kbd, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconEqualNot, IconTilde } from '@tabler/icons-react';
import type { Evidence, ReviewRow, Verdict } from '../../../engine/contract/jobs/review.ts';
import { showShare } from '../../components/numbers.ts';
import { fieldLabels } from '../../components/words.ts';
import classes from './review.module.css';

const verdictLooks: Readonly<
  Record<Verdict, { readonly word: string; readonly Icon: typeof IconCheck }>
> = {
  same: { word: 'same', Icon: IconCheck },
  similar: { word: 'similar', Icon: IconTilde },
  different: { word: 'different', Icon: IconEqualNot },
};

function EvidenceLine({ evidence }: { evidence: Evidence }) {
  const { word, Icon } = verdictLooks[evidence.verdict];
  return (
    <li className={classes[evidence.verdict]}>
      <Icon size={16} aria-hidden />
      <span>
        {fieldLabels[evidence.field]} {word}
        {evidence.known !== '' && evidence.verdict !== 'same' && (
          <span className={classes.known}>{evidence.known}</span>
        )}
      </span>
    </li>
  );
}

/** A candidate with its button. `number` is its position and its shortcut key, from 1. */
export function CandidateCard({
  candidate,
  number,
  onChoose,
}: {
  candidate: ReviewRow['candidates'][number];
  number: number;
  onChoose: () => void;
}) {
  const { name, title, company_name: company, score, evidence } = candidate;
  return (
    <Card component="li">
      <Stack gap="sm" h="100%">
        <div>
          <Text fw={600} className={classes.name}>
            {name || 'No name'}
          </Text>
          <Text size="sm" c="dimmed" className={classes.name}>
            {[title, company].filter(Boolean).join(', ') || 'No current job known'}
          </Text>
        </div>
        <Text size="xs" c="dimmed" className="numbers">
          Probability {showShare(score)}
        </Text>
        <ul className={classes.evidence}>
          {evidence.map((one) => (
            <EvidenceLine key={one.field} evidence={one} />
          ))}
        </ul>
        <Group mt="auto">
          <Button
            variant="default"
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
        </Group>
      </Stack>
    </Card>
  );
}

/** The values that a pipeline unlocks per contact, with their prices. */

import { Checkbox, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatCredits } from '../../../engine/contract/credits.ts';
import { lookupPrices } from '../../../engine/contract/lookup.ts';
import { type PipelineKind, pipelineKinds } from '../../../engine/contract/pipelines/pipeline.ts';
import { type Rate, rates } from '../../../engine/contract/rate-card.ts';
import { ask } from '../../api/client.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countCredits } from '../../components/numbers.ts';
import { Step } from '../enrich/step.tsx';
import { type Draft, useDraft } from './draft.tsx';
import { capital, kindWords } from './pipeline-words.ts';
import classes from './pipelines.module.css';

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
  'What you imported is open already in Directory and in jobs. A list counts it in credits, a ' +
  'free local budget that shows who took which email or phone and limits keys and assistants.';

export function UnlockStep({ number }: { number: number }) {
  const { draft } = useDraft();
  const known = useQuery({ queryKey: ['rates'], queryFn: () => ask(rates.list) });
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
      <Text size="sm" c="dimmed">
        {whyPay}
      </Text>
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

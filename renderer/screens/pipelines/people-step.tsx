/** Step 1 of a pipeline of people: the people found by a directory search, and how many to take. */
import { Anchor, Group, NumberInput, Text } from '@mantine/core';
import { Link } from 'wouter';
import { pipelineContactsMax } from '../../../engine/contract/limits/pipelines.ts';
import { countOf, showCount } from '../../components/numbers.ts';
import { noFilters } from '../directory/chosen-filters.ts';
import { DirectoryChoice } from '../directory/directory-choice.tsx';
import { FoundList, type usePeopleSearch } from '../directory/found-list.tsx';
import { peopleField, SearchField } from '../directory/search-field.tsx';
import { Step } from '../enrich/step.tsx';
import { type Draft, useDraft } from './draft.tsx';

/** The number of found people to take. */
export const countPeople = (
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

/** Why not all people can be taken. */
function TooMany({ total }: { total: number }) {
  if (total <= pipelineContactsMax) return null;
  return (
    <Text size="sm" c="dimmed">
      At most {showCount(pipelineContactsMax)} people are taken. Narrow the filters to reach the
      others.
    </Text>
  );
}

/**
 * @param generation of the directory; a new one refreshes the results
 * @param canChoose whether both the own directory and the team's have people
 */
export function PeopleStep({
  search,
  generation,
  canChoose,
}: {
  search: ReturnType<typeof usePeopleSearch>;
  generation: number;
  canChoose: boolean;
}) {
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
        {...peopleField}
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
export function NoPeople() {
  return (
    <Step number={1} title="People" facts="Your directory is empty, so no people can be found.">
      <Text size="sm">
        <Anchor component={Link} underline="always" href="/directory" size="sm">
          Import people or load the sample
        </Anchor>
        ; your choices here are kept.
      </Text>
    </Step>
  );
}

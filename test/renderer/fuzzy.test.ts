// How the command palette finds a name by some of its letters.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scoreText } from '../../renderer/commands/fuzzy.ts';

const order = (wanted: string, texts: readonly string[]) =>
  texts
    .flatMap((text) => {
      const score = scoreText(wanted, text);
      return score === null ? [] : [{ text, score }];
    })
    .sort((one, other) => other.score - one.score)
    .map(({ text }) => text);

test('letters in their order are found, in whatever case and with whatever accents', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'abcéÜ ß-7'),
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(letters, fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }), (text, kept) => {
      const wanted = [...text].filter((_, at) => kept[at]).join('');
      expect(scoreText(wanted, text)).not.toBeNull();
      expect(scoreText(`${wanted}!`, text)).toBeNull();
    }),
  );
});

test.each([
  [
    'jobs',
    ['Jobs', 'New jobs', 'Joe and Bobs', 'Settings: Rate card'],
    ['Jobs', 'New jobs', 'Joe and Bobs'],
  ],
  ['ak', ['Make a backup', 'Create an API key'], ['Create an API key', 'Make a backup']],
  ['muller', ['Müller leads', 'Mule order'], ['Müller leads']],
  ['new mon', ['New in some town', 'New monitor'], ['New monitor', 'New in some town']],
] as const)('“%s” finds the best name first', (wanted, texts, expected) => {
  expect(order(wanted, texts)).toEqual(expected);
});

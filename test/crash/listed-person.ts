// The person of a number, in the list of the job and in directories: none resembles another.
import { hash } from 'node:crypto';

const wordOf = (text: string): string => {
  const letters = hash('sha256', text).replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');
  return `${letters.slice(0, 1).toUpperCase()}${letters.slice(1, 10)}`;
};

/** The cells of a person: first name, last name, company and email. */
export const personOf = (number: number): readonly string[] => [
  wordOf(`first ${number}`),
  `Row${number}`,
  `${wordOf(`company ${number}`)} Ltd`,
  `row${number}@${wordOf(`company ${number}`).toLowerCase()}.example`,
];

/** Prints how well matching does on real people and companies: `npm run bench:matching`. */
import {
  type Count,
  measureCompanies,
  measurePeople,
  precisionOf,
  type Quality,
  recallOf,
} from '../directory/matching-quality.ts';

const share = (value: number): string => (Number.isNaN(value) ? '     –' : value.toFixed(4));

const line = (name: string, count: Count): string =>
  [
    name.padEnd(24),
    `${count.rows} rows`.padStart(10),
    `precision ${share(precisionOf(count))}`,
    `recall ${share(recallOf(count))}`,
    `${count.right} right, ${count.wrong} wrong, ${count.missed} missed`,
  ].join('  ');

function print(title: string, quality: Quality): void {
  console.log(`\n${title}`);
  console.log(line('all', quality.all));
  for (const [kind, count] of [...quality.byKind].sort()) console.log(line(kind, count));
  for (const mistake of quality.mistakes) console.log(`  ${mistake}`);
}

print('People', await measurePeople());
print('Companies', await measureCompanies());

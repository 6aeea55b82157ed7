// Describes an order: recognised columns, price, and what data services cost at its end.
import {
  decidedSentence,
  explainSaving,
  partlyComparedSentence,
  phraseExpected,
  providerRowsSentence,
  teamRowsSentence,
} from '../../contract/jobs/expected-price.ts';
import { inputRepairSentences } from '../../contract/jobs/input-repair-sentences.ts';
import { inputRepairRules } from '../../contract/jobs/input-repairs.ts';
import type { EstimateData, Preview } from '../../contract/jobs/job.ts';
import { explainIdleLayers, nameLayer } from '../../contract/jobs/layers.ts';
import type { ColumnMapping } from '../../contract/jobs/row-input.ts';
import {
  type JobProviders,
  type ProviderQuote,
  teamDirectoryNote,
} from '../../contract/providers.ts';
import { suggestedWords, type Upload } from '../../contract/uploads.ts';
import {
  formatAmount,
  formatCount,
  formatCreditCount,
  formatNumber,
  formatProviderCredits,
  formatShare,
  formatTable,
} from './format-text.ts';
import {
  describeLetters,
  describeOtherLines,
  describeRemarks,
  describeUnread,
  readingHints,
} from './reading-options.ts';

function describeReading({ reading, encoding }: Upload): string[] {
  const others = reading.sheets.filter(({ name }) => name !== reading.sheet);
  const names = others.map(({ name }) => JSON.stringify(name)).join(', ');
  return [
    ...(others.length > 0
      ? [`  sheet ${JSON.stringify(reading.sheet)} is read; choose ${names} with --sheet`]
      : []),
    ...(reading.header
      ? reading.header_line === 1 || reading.header_line === null
        ? []
        : [`  the column names are in line ${reading.header_line}`]
      : ['  the first line is a row: the columns are called Column 1, Column 2 and so on']),
    ...(reading.wide_count > 0
      ? [`  ${formatNumber(reading.wide_count, 'line')} with extra cells left out`]
      : []),
    ...(reading.several_people === 'keep' ? [`  ${readingHints.severalPeople}`] : []),
    ...describeLetters(encoding, reading.letters),
    ...describeOtherLines(reading.other_lines, reading.other_count),
  ];
}

export function describeUpload(upload: Upload, mapping: ColumnMapping): string[] {
  const used = Object.entries(mapping);
  const columns = new Set(used.map(([, at]) => at));
  const kept = upload.labels.filter((_, at) => !columns.has(at));
  const lines = [
    `${upload.file_name}: ${formatNumber(upload.row_count, 'row')}, ` +
      `${formatNumber(upload.headers.length, 'column')}`,
    ...describeReading(upload),
    ...formatTable(
      used.map(([field, at]) => {
        const isWhole = field === 'first_name' && mapping.last_name === undefined;
        return [`  ${isWhole ? 'name' : field}`, `← ${upload.labels[at] ?? ''}`];
      }),
    ),
  ];
  if (used.length === 0)
    lines.push(`  No column was recognised, and no row will match. ${readingHints.unknownColumns}`);
  lines.push(...describeUnread(kept, 'mapping'));
  for (const { column, field } of upload.suggestions)
    if (!columns.has(column))
      lines.push(
        `  the values of ${JSON.stringify(upload.labels[column] ?? '')} look like ` +
          `${suggestedWords[field]}: if they are the contact’s, name the column as ` +
          `${field === 'full_name' ? 'first_name' : field} with --mapping FILE`,
      );
  if (upload.rows_without_identity > 0)
    lines.push(
      `  ${formatNumber(upload.rows_without_identity, 'row')} with neither email, ` +
        'profile URL nor name: skipped, and free',
    );
  lines.push(...describeRemarks(upload.warnings, 'see the app'));
  return lines;
}

function describeRepairs(counts: Preview['input_repairs']): string[] {
  const rules = inputRepairRules.filter((rule) => counts[rule] !== undefined);
  if (rules.length === 0) return [];
  return [
    '  read differently, while your cells do not change:',
    ...rules.map(
      (rule) => `    ${formatNumber(counts[rule] ?? 0, 'row')}: ${inputRepairSentences[rule]}`,
    ),
  ];
}

/** Why the expected credits are less than the full price of the rows that are found. */
function describeSavings(preview: Preview, rowCount: number, mapping: ColumnMapping): string[] {
  const about = preview.sampled < rowCount ? 'about ' : '';
  const line = (rows: number, why: string) => `  ${about}${formatNumber(rows, 'row')}: ${why}`;
  const savings = preview.savings.map(({ kind, rows, credits }) => {
    const why = explainSaving(kind, preview.free_repeat_days, mapping);
    return `  ${line(rows, `${why} (${formatCreditCount(credits)} less)`)}`;
  });
  return [
    ...(savings.length === 0 ? [] : ['  less than the full price of the rows found:', ...savings]),
    ...(preview.decided_rows === 0 ? [] : [line(preview.decided_rows, decidedSentence)]),
    ...(preview.certainty === 'at_most' ? [`  ${partlyComparedSentence}`] : []),
  ];
}

function describePreview(preview: Preview, rowCount: number, mapping: ColumnMapping): string[] {
  const [before, after] = phraseExpected(preview, rowCount);
  const fill = Object.entries(preview.fill_rate)
    .sort(([, a], [, b]) => b - a)
    .map(([field, share]) => `${field} ${formatShare(share)}`);
  const reasons = Object.entries(preview.reasons)
    .filter(([, share]) => share > 0)
    .map(([reason, share]) => `${reason} ${formatShare(share)}`);
  return [
    `Expected from a dry run of ${formatNumber(preview.sampled, 'row')}: ` +
      `${formatShare(preview.expected_match_rate)} enriched, ` +
      `${before}${formatCreditCount(preview.expected_credits)}${after}`,
    ...describeSavings(preview, rowCount, mapping),
    ...(preview.has_team ? [`  ${teamRowsSentence}`] : []),
    ...(fill.length === 0 ? [] : [`  filled: ${fill.join(', ')}`]),
    ...(reasons.length === 0 ? [] : [`  not enriched: ${reasons.join(', ')}`]),
    ...describeRepairs(preview.input_repairs),
  ];
}

export function describeEstimate(estimate: EstimateData, mapping: ColumnMapping): string[] {
  const rows = formatNumber(estimate.row_count, 'row');
  const idle = explainIdleLayers(estimate.selected_layers, mapping);
  return [
    `Price: ${rows} × ${formatAmount(estimate.price_per_row)} = at most ` +
      `${formatCreditCount(estimate.credits_needed)}; only enriched rows are charged`,
    ...formatTable(
      estimate.breakdown.map(({ code, price, subtotal }) => [
        `  ${code}`,
        nameLayer(code),
        `${formatAmount(price)} a row`,
        formatAmount(subtotal),
      ]),
      [2, 3],
    ),
    ...(idle === null ? [] : [`  ${idle}`]),
    `Available: ${formatCreditCount(estimate.available_credits)}`,
    ...(estimate.preview ? describePreview(estimate.preview, estimate.row_count, mapping) : []),
  ];
}

/** Lines about what the user's providers may cost, if the directory has none of the rows. */
export const describeQuote = (quote: ProviderQuote): string[] => [
  ...quote.map(
    ({ provider, at_most: atMost, expected }) =>
      `${provider} may cost at most ${formatProviderCredits(atMost)} of its own credits, and is ` +
      `expected to cost up to ${formatProviderCredits(expected)}.`,
  ),
  ...(quote.length === 0 ? [] : [providerRowsSentence]),
];

type JobProvider = JobProviders[number];

function describeTotal({ provider, credits, rows, note, ...rest }: JobProvider): string {
  if (provider === teamDirectoryNote) return `The team’s directory: ${note}`;
  const { credits_open: open, is_estimated: isEstimated, price } = rest;
  const isRefused = rest.uncertain_requests > 0;
  const money = price ? `, about ${(credits * price.per_credit).toFixed(2)} ${price.currency}` : '';
  const derived = isEstimated ? ' (estimated: the service does not say)' : '';
  return [
    `${provider}: ${formatNumber(rows, 'row')} asked, ` +
      `${formatProviderCredits(credits)} of its own credits${money}${derived}.`,
    ...(open > 0
      ? [
          `${formatProviderCredits(open)} more may have been charged: see desk providers ` +
            'uncertain.',
          ...(isRefused ? ['Until you decide there, every job fails the same rows.'] : []),
        ]
      : []),
    ...(note === null ? [] : [note]),
  ].join(' ');
}

const providerColumns = [
  'provider',
  'field',
  'asked',
  'found',
  'hit rate',
  'credits',
  'credits a hit',
];

/** Lines about what a job found and cost at the user's providers: totals, then a table by field. */
export function describeJobProviders(spent: JobProviders): string[] {
  const rows = spent.flatMap(({ provider, fields }) =>
    fields.map((one) => [
      provider,
      one.field,
      formatCount(one.asked),
      formatCount(one.hits),
      one.hit_rate === null ? '-' : formatShare(one.hit_rate),
      formatProviderCredits(one.credits),
      one.cost_per_hit === null ? '-' : formatProviderCredits(one.cost_per_hit),
    ]),
  );
  const table = formatTable([providerColumns, ...rows], [2, 3, 4, 5, 6]);
  return [...spent.map(describeTotal), ...(rows.length === 0 ? [] : table)];
}

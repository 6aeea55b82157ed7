// The remarks of an import as the command line shows them.
import { expect, test } from 'vitest';
import { describeRemarks } from '../../engine/cli/kit/reading-options.ts';

const omitted = (line: number, email: string) => ({
  line,
  column: 'Email',
  message: `"${email}" is not an email address. It was omitted.`,
});

test('remarks that differ only in the value are one kind, with the lines of the others', () => {
  const remarks = [omitted(3, 'ann'), { line: 4, message: 'No name.' }, omitted(7, 'bo')];
  expect(describeRemarks(remarks, 'see the app')).toEqual([
    '  line 3 (Email): "ann" is not an email address. It was omitted. (1 more like it: line 7)',
    '  line 4: No name.',
  ]);
});

test('a remark on the whole list names no line', () => {
  const remark = { line: null, message: 'The words were encoded twice.' };
  expect(describeRemarks([remark], 'see the app')).toEqual(['  The words were encoded twice.']);
});

test('a kind lists the lines of at most twenty others', () => {
  const remarks = Array.from({ length: 30 }, (_, at) => omitted(at + 2, `ann${at}`));
  const [first, ...more] = describeRemarks(remarks, 'see the app');
  expect(first).toMatch(/^ {2}line 2 .*\(29 more like it: lines 3, 4, .*, 22 and more\)$/);
  expect(more).toEqual([]);
});

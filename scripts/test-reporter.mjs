// A Vitest reporter: counts tests, explains skipped and flaky tests, and lists the slowest files.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const slowestMax = 5;
/** The tag of tests that only `npm run test:full` runs. */
export const longTag = 'full';
/** The Vitest option that excludes them. */
export const withoutLong = `!${longTag}`;
/** The tag of tests of what only Linux and macOS have: modes of files, signals, `#!` programs. */
export const posixTag = 'posix';
/** The Vitest options that exclude what a run cannot prove. */
export const filterTags = (isFull, platform) => [
  ...(isFull ? [] : [withoutLong]),
  ...(platform === 'win32' ? [`!${posixTag}`] : []),
];

/** The last line of a run: `3,776 passed, 0 failed, 0 skipped, 5 min 40 s`. */
export function formatSummary({ passed, failed, skipped, flaky }, elapsedMs) {
  const counts = { passed, failed, skipped, ...(flaky > 0 && { flaky }) };
  const parts = Object.entries(counts).map(
    ([name, count]) => `${count.toLocaleString('en-US')} ${name}`,
  );
  const seconds = Math.round(elapsedMs / 1000);
  return [...parts, `${Math.floor(seconds / 60)} min ${seconds % 60} s`].join(', ');
}

/** Writes its counts to the file in DESK_TEST_COUNTS, if set. */
export default class CountingReporter {
  #leavesOutLong = false;

  onInit(vitest) {
    this.#leavesOutLong = vitest.config.tagsFilter?.includes(withoutLong) ?? false;
  }

  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, flaky: 0 };
    const notes = [];
    let leftOut = 0;
    for (const module of modules) {
      // A file that fails to load has no tests to count.
      let failures = 0;
      for (const test of module.children.allTests()) {
        const { state, note } = test.result();
        if (state === 'failed') failures += 1;
        if (state === 'passed') counts.passed += 1;
        if (test.diagnostic()?.flaky) {
          counts.flaky += 1;
          notes.push(`flaky: ${pathOf(module)} > ${test.fullName}`);
        }
        if (state !== 'skipped') continue;
        if (process.platform === 'win32' && test.tags.includes(posixTag))
          notes.push(`not proven on Windows: ${pathOf(module)} > ${test.fullName}`);
        else if (this.#leavesOutLong && test.tags.includes(longTag)) leftOut += 1;
        else {
          counts.skipped += 1;
          notes.push(`skipped: ${test.fullName} (${note ?? 'no reason given'})`);
        }
      }
      counts.failed += failures > 0 || module.ok() ? failures : 1;
    }
    for (const line of [...notes, ...listSlowest(modules)]) console.log(line);
    if (leftOut > 0) console.log(`long tests that only npm run test:full runs: ${leftOut}`);
    if (process.env.DESK_TEST_COUNTS)
      writeFileSync(process.env.DESK_TEST_COUNTS, JSON.stringify(counts));
  }
}

const pathOf = (module) => relative('.', module.moduleId);

function listSlowest(modules) {
  const seconds = (module) => module.diagnostic().duration / 1000;
  return modules
    .toSorted((a, b) => seconds(b) - seconds(a))
    .slice(0, slowestMax)
    .map((file) => `${seconds(file).toFixed(1).padStart(6)} s ${pathOf(file)}`);
}

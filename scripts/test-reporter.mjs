// A vitest reporter that counts, says why tests were skipped, and names the slowest files.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const slowestMax = 5;

/** Writes {passed, failed, skipped} to the file that DESK_TEST_COUNTS names, if any. */
export default class CountingReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    const skipped = [];
    for (const module of modules) {
      // A file that could not even be collected has no test to count.
      let failures = 0;
      for (const test of module.children.allTests()) {
        const { state, note } = test.result();
        if (state === 'failed') failures += 1;
        if (state === 'passed') counts.passed += 1;
        if (state !== 'skipped') continue;
        counts.skipped += 1;
        skipped.push(`skipped: ${test.fullName} (${note ?? 'no reason given'})`);
      }
      counts.failed += failures > 0 || module.ok() ? failures : 1;
    }
    for (const line of skipped) console.log(line);
    for (const line of listSlowest(modules)) console.log(line);
    if (process.env.DESK_TEST_COUNTS)
      writeFileSync(process.env.DESK_TEST_COUNTS, JSON.stringify(counts));
  }
}

function listSlowest(modules) {
  const seconds = (module) => module.diagnostic().duration / 1000;
  return modules
    .toSorted((a, b) => seconds(b) - seconds(a))
    .slice(0, slowestMax)
    .map((file) => `${seconds(file).toFixed(1).padStart(6)} s ${relative('.', file.moduleId)}`);
}

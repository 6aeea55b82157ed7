// The protocol's official conformance suites: whole, against a fixture on the product's own
// endpoint; by scenario, against the product's tools.
import { expect, test } from 'vitest';
import { openApiDesk } from '../http/open-api-desk.ts';
import { makeFixture } from './fixture.ts';
import { runSuite, type SuiteReport } from './run-suite.ts';

function expectPassed({ exitCode, output }: SuiteReport): void {
  expect(exitCode, output.slice(-8_000)).toBe(0);
  // A suite with no scenario to run succeeds too.
  expect(output).toMatch(/Passed: [1-9]|[1-9]\d* passed/);
}

const suiteMs = 120_000;
const whole = { tags: ['full'], timeout: suiteMs };

test.each([
  ['0.1', []],
  ['0.1', ['--suite', 'all']],
  ['0.2', ['--requirements', '2025-11-25']],
  ['0.2', ['--requirements', '2026-07-28']],
] as const)('suite %s %j passes on the endpoint', whole, async (suite, args) => {
  const desk = await openApiDesk({ toolParts: makeFixture() });
  const report = await runSuite(suite, desk, args);
  expectPassed(report);
});

test.each([
  ['2025-11-25', 'server-initialize'],
  ['2025-11-25', 'ping'],
  ['2025-11-25', 'tools-list'],
  ['2025-11-25', 'server-sse-multiple-streams'],
  ['2025-11-25', 'dns-rebinding-protection'],
  ['2026-07-28', 'http-header-validation'],
] as const)(
  'the product’s own tools pass %s %s',
  async (version, scenario) => {
    const desk = await openApiDesk();
    const args = ['--scenario', scenario, '--spec-version', version];
    const report = await runSuite('0.2', desk, args);
    expectPassed(report);
  },
  suiteMs,
);

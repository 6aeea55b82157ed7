/**
 * `npm run bench:ui`: how fast the interface is with a million rows behind it, in Chromium with the
 * real engine. An empty page on the same machine is the baseline.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumFlags, ensureChromium } from '../../../scripts/chromium.mjs';
import { readScreenTable } from '../../read-screen-table.ts';
import { percentile } from '../measure.ts';
import { type BenchContext, createBenchContext } from '../parts/bench-context.ts';
import { type LargeDesk, openLargeDesk } from './large-desk.ts';
import { installProbe, readUsefulPaint, scrollSteadily, takeLongTasks } from './page-probe.ts';

const paintMsMax = 800;
const framesMin = 55;
const scrollMs = 5_000;
const filterPauseMs = 1_500;

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '100000' },
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    out: { type: 'string' },
  },
});

/** A page as small as a page can be, tall enough to scroll. */
const emptyPage =
  '<!doctype html><html lang="en"><title>Empty</title><style>body{margin:0}' +
  '#grid{height:100vh;overflow:auto}#tall{height:30000000px}</style>' +
  '<div id="grid"><h1>Empty</h1><div id="tall"></div></div>';

async function serveEmptyPage(): Promise<{ url: string; close(): void }> {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(emptyPage),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

async function openPage(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await installProbe(page);
  await page.goto(url);
  return page;
}

/** The median of several fresh pages. */
async function measurePaint(context: BrowserContext, url: string, rounds: number) {
  const paints: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const page = await openPage(context, url);
    paints.push(await readUsefulPaint(page));
    await page.close();
  }
  return percentile(paints, 0.5);
}

const showMs = (ms: number) => `${Math.round(ms)} ms`;
const showTasks = (tasks: readonly number[]) =>
  tasks.length === 0 ? 'none' : `${tasks.length}, longest ${showMs(Math.max(...tasks))}`;

async function measureScreens(bench: BenchContext, context: BrowserContext, desk: LargeDesk) {
  const screens = readScreenTable().flatMap(({ path, title }) => {
    if (!path.includes(':')) return [{ path, title }];
    return /^\/jobs\/:id/.test(path) ? [{ path: path.replace(':id', desk.jobId), title }] : [];
  });
  for (const { path, title } of screens) {
    const paint = await measurePaint(context, `${desk.engine.url}/#${path}`, bench.sizes.rounds);
    bench.report(`useful paint, ${title}`, showMs(paint), '≤ 800 ms', paint <= paintMsMax);
  }
}

async function measureJobGrid(bench: BenchContext, context: BrowserContext, desk: LargeDesk) {
  const page = await openPage(context, `${desk.engine.url}/#/jobs/${desk.jobId}`);
  await readUsefulPaint(page);
  // Everything else loads while the page is idle.
  await page.waitForTimeout(filterPauseMs);
  await takeLongTasks(page);
  const { framesPerSecond, waitingShare } = await scrollSteadily(page, '[role=grid]', scrollMs);
  const whileScrolling = await takeLongTasks(page);
  const speed = `${framesPerSecond.toFixed(0)} frames a second`;
  bench.report('scrolling a job, 400 px a frame', speed, '≥ 55', framesPerSecond >= framesMin);
  const waiting = `${(waitingShare * 100).toFixed(0)} %`;
  bench.report('frames with a cell without its value', waiting, 'none', waitingShare === 0);
  const tasks = showTasks(whileScrolling);
  bench.report('tasks over 50 ms while scrolling', tasks, 'none', whileScrolling.length === 0);
  const filters = page.locator('#screen').locator('[role=radiogroup] label, [aria-pressed]');
  for (const filter of (await filters.all()).slice(0, 4)) {
    await filter.click();
    await page.waitForTimeout(filterPauseMs);
  }
  const filtering = await takeLongTasks(page);
  bench.report(
    'tasks over 50 ms while filtering a job',
    ...([showTasks(filtering), 'none', filtering.length === 0] as const),
  );
  await page.close();
}

async function measureTyping(bench: BenchContext, context: BrowserContext, desk: LargeDesk) {
  const page = await openPage(context, `${desk.engine.url}/#/directory`);
  await readUsefulPaint(page);
  await page.waitForTimeout(filterPauseMs);
  await takeLongTasks(page);
  const field = page.locator('#screen').getByRole('textbox').first();
  await field.pressSequentially('sales director', { delay: 80 });
  await page.waitForTimeout(filterPauseMs);
  const typing = await takeLongTasks(page);
  bench.report(
    'tasks over 50 ms while typing in the search of the directory',
    ...([showTasks(typing), 'none', typing.length === 0] as const),
  );
  await page.close();
}

async function measureBaseline(bench: BenchContext, context: BrowserContext) {
  const empty = await serveEmptyPage();
  const paint = await measurePaint(context, empty.url, bench.sizes.rounds);
  bench.report('useful paint of an empty page', showMs(paint), '', null);
  const page = await openPage(context, empty.url);
  const { framesPerSecond } = await scrollSteadily(page, '#grid', scrollMs);
  const tasks = await takeLongTasks(page);
  bench.report(
    'scrolling an empty page',
    `${framesPerSecond.toFixed(0)} frames a second`,
    '',
    null,
  );
  bench.report('tasks over 50 ms in an empty page', showTasks(tasks), '', null);
  await page.close();
  empty.close();
}

const bench = createBenchContext({
  people: Number(values.people),
  rows: Number(values.rows),
  rounds: Number(values.rounds),
  ...{ companies: 0, searches: 0, compared: 0 },
});
await using closing = new AsyncDisposableStack();
const desk = await openLargeDesk(bench);
closing.defer(async () => void (await desk.engine.stop()));
const browser = await chromium.launch({
  executablePath: ensureChromium() ?? '',
  args: chromiumFlags(),
});
closing.defer(() => browser.close());
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const first = await context.newPage();
await first.goto(desk.engine.openUrl);
await first.getByRole('heading', { name: 'Enrich', level: 1 }).waitFor();
await first.close();
bench.report('load of the machine', loadavg()[0]?.toFixed(1) ?? '', '', null);
await measureBaseline(bench, context);
await measureScreens(bench, context, desk);
await measureJobGrid(bench, context, desk);
await measureTyping(bench, context, desk);
if (values.out) writeFileSync(values.out, bench.writeTable());

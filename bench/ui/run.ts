// `npm run bench:ui`: how fast the interface is with a million rows behind it, in Chromium with the
// real engine, next to an empty page on the same machine. Tasks and frames are judged by the
// processor time of the page's main thread; bars by the clock grow with the time that the thread
// waited for a processor.
import '../built-program.ts';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumFlags, ensureChromium } from '../../scripts/chromium.mjs';
import { readScreenTable } from '../../test/read-screen-table.ts';
import { percentile } from '../measure.ts';
import { type BenchContext, createBenchContext } from '../parts/bench-context.ts';
import { type LargeDesk, openLargeDesk } from './large-desk.ts';
import { installProbe, readUsefulPaint, scrollSteadily, takeLongTasks } from './page-probe.ts';
import { measureThread, type ThreadTime } from './thread-time.ts';

const paintMsMax = 800;
/** Frames of a scroll, as a share of those of an empty page. */
const framesShareMin = 55 / 60;
const frameThreadMsMax = 8;
const taskMsMax = 50;
const scrollMs = 5_000;
const filterPauseMs = 1_500;

/** What an empty page takes on the machine as it is now. */
interface Baseline {
  readonly paintMs: number;
  readonly framesPerSecond: number;
}

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

/** The medians of several fresh pages: until useful, and what the main thread did until then. */
async function measurePaint(context: BrowserContext, url: string, rounds: number) {
  const paints: number[] = [];
  const threads: number[] = [];
  const slownesses: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const page = await context.newPage();
    await installProbe(page);
    const { result, time } = await measureThread(page, async () => {
      await page.goto(url);
      return readUsefulPaint(page);
    });
    paints.push(result);
    threads.push(time.totalMs);
    slownesses.push(time.slowness);
    await page.close();
  }
  return {
    paintMs: percentile(paints, 0.5),
    threadMs: percentile(threads, 0.5),
    slowness: percentile(slownesses, 0.5),
  };
}

const showMs = (ms: number) => `${Math.round(ms)} ms`;
const showTasks = (tasks: readonly number[]) =>
  tasks.length === 0 ? 'none' : `${tasks.length}, longest ${showMs(Math.max(...tasks))}`;

/** Reports long tasks: judged by their processor time; those by the clock are printed too. */
function reportTasks(bench: BenchContext, what: string, time: ThreadTime, byClock: number[]) {
  const long = time.tasksMs.filter((ms) => ms > taskMsMax);
  const longest = time.tasksMs.reduce((most, ms) => Math.max(most, ms), 0);
  bench.report(
    `tasks over 50 ms of processor time ${what}`,
    `${long.length}, longest ${showMs(longest)}`,
    'none',
    long.length === 0,
  );
  bench.report(`the same by the clock`, showTasks(byClock), '', null);
}

async function measureScreens(
  bench: BenchContext,
  context: BrowserContext,
  desk: LargeDesk,
  baseline: Baseline,
) {
  const screens = readScreenTable().flatMap(({ path, title }) => {
    if (!path.includes(':')) return [{ path, title }];
    return /^\/jobs\/:id/.test(path) ? [{ path: path.replace(':id', desk.jobId), title }] : [];
  });
  for (const { path, title } of screens) {
    const url = `${desk.engine.url}/#${path}`;
    const { paintMs, threadMs, slowness } = await measurePaint(context, url, bench.sizes.rounds);
    // A task that takes twice its processor time shared the processor with another program.
    const most = paintMsMax * slowness;
    const ratio = `${(paintMs / baseline.paintMs).toFixed(0)} × an empty page`;
    const figure = `${showMs(paintMs)}, ${ratio}, processor time ${showMs(threadMs)}`;
    bench.report(`useful paint, ${title}`, figure, `≤ ${showMs(most)}`, paintMs <= most);
  }
}

async function measureJobGrid(
  bench: BenchContext,
  context: BrowserContext,
  desk: LargeDesk,
  baseline: Baseline,
) {
  const page = await openPage(context, `${desk.engine.url}/#/jobs/${desk.jobId}`);
  await readUsefulPaint(page);
  // Everything else loads while the page is idle.
  await page.waitForTimeout(filterPauseMs);
  await takeLongTasks(page);
  const scroll = () => scrollSteadily(page, '[role=grid]', scrollMs);
  const { result, time } = await measureThread(page, scroll);
  const most = frameThreadMsMax;
  const perFrame = time.totalMs / result.frames;
  bench.report(
    'processor time of a frame while scrolling a job, 400 px a frame',
    `${perFrame.toFixed(1)} ms`,
    `≤ ${most} ms`,
    perFrame <= most,
  );
  const least = baseline.framesPerSecond * framesShareMin;
  const speed = `${result.framesPerSecond.toFixed(0)} frames a second`;
  bench.report(
    'the same by the clock',
    speed,
    `≥ ${least.toFixed(0)}`,
    result.framesPerSecond >= least,
  );
  const waiting = `${(result.waitingShare * 100).toFixed(0)} %`;
  bench.report('frames with a cell without its value', waiting, 'none', result.waitingShare === 0);
  reportTasks(bench, 'while scrolling', time, await takeLongTasks(page));
  const filters = page.locator('#screen').locator('[role=radiogroup] label, [aria-pressed]');
  const filtering = await measureThread(page, async () => {
    for (const filter of (await filters.all()).slice(0, 4)) {
      await filter.click();
      await page.waitForTimeout(filterPauseMs);
    }
  });
  reportTasks(bench, 'while filtering a job', filtering.time, await takeLongTasks(page));
  await page.close();
}

async function measureTyping(bench: BenchContext, context: BrowserContext, desk: LargeDesk) {
  const page = await openPage(context, `${desk.engine.url}/#/directory`);
  await readUsefulPaint(page);
  await page.waitForTimeout(filterPauseMs);
  await takeLongTasks(page);
  const field = page.locator('#screen').getByRole('textbox').first();
  const { time } = await measureThread(page, async () => {
    await field.pressSequentially('sales director', { delay: 80 });
    await page.waitForTimeout(filterPauseMs);
  });
  reportTasks(bench, 'while typing in a search', time, await takeLongTasks(page));
  await page.close();
}

async function measureBaseline(bench: BenchContext, context: BrowserContext): Promise<Baseline> {
  const empty = await serveEmptyPage();
  const { paintMs } = await measurePaint(context, empty.url, bench.sizes.rounds);
  bench.report('useful paint of an empty page', showMs(paintMs), '', null);
  const page = await openPage(context, empty.url);
  const { result, time } = await measureThread(page, () => scrollSteadily(page, '#grid', scrollMs));
  const { frames, framesPerSecond } = result;
  bench.report(
    'scrolling an empty page',
    `${framesPerSecond.toFixed(0)} frames a second`,
    '',
    null,
  );
  const perFrame = `${(time.totalMs / frames).toFixed(1)} ms`;
  bench.report('processor time of a frame of an empty page', perFrame, '', null);
  reportTasks(bench, 'in an empty page', time, await takeLongTasks(page));
  await page.close();
  empty.close();
  return { paintMs, framesPerSecond };
}

const bench = createBenchContext({
  people: Number(values.people),
  rows: Number(values.rows),
  rounds: Number(values.rounds),
  companies: 0,
  searches: 0,
  compared: 0,
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
const baseline = await measureBaseline(bench, context);
await measureScreens(bench, context, desk, baseline);
await measureJobGrid(bench, context, desk, baseline);
await measureTyping(bench, context, desk);
if (values.out) writeFileSync(values.out, bench.writeTable());

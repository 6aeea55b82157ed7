// What the app opens when the system asks: files by their kind, screens by an allowed link.
import { expect, test } from 'vitest';
import { writeEntry } from '../../main/background/login-item.ts';
import {
  readArguments,
  readFileRequest,
  readLink,
  startsHidden,
  taskbarTasks,
} from '../../main/requests/open-request.ts';

const job = '0191f3a0-1111-7000-8000-000000000001';

test.each([
  ['desk://open/', '/'],
  ['desk://open/jobs', '/jobs'],
  ['desk://open/jobs/', '/jobs'],
  [`desk://open/jobs/${job}`, `/jobs/${job}`],
  ['desk://open/connections/providers?x=1#y', '/connections/providers'],
  ['desk://open/jobs/../wallet', '/wallet'],
  ['desk://open/jobs/nonsense', null],
  ['desk://open/settings/%2e%2e/api', null],
  ['desk://open//evil.example/', null],
  ['desk://run/jobs', null],
  ['desk:open/jobs', null],
  ['https://open/jobs', null],
  ['', null],
])('the link %s opens the screen %s', (address, screen) => {
  expect(readLink(address)).toBe(screen);
});

test.each([
  ['/lists/a.csv', '/lists/a.csv'],
  ['Q3 leads.XLSX', '/home/ada/Q3 leads.XLSX'],
  ['../b.tsv', '/home/b.tsv'],
  ['a.exe', null],
  ['csv', null],
  ['a\0.csv', null],
])('the file %s is opened as %s', (path, absolute) => {
  expect(readFileRequest(path, '/home/ada')?.file?.path ?? null).toBe(absolute);
});

test('arguments of a start are read; options and unknown words are not', () => {
  const argv = [
    '/opt/desk',
    '--inspect',
    '.',
    'file:///lists/x%20y.csv',
    'desk://open/wallet',
    'file://host/lists/a.csv',
    'file:///a%2Fb.csv',
    'file:///%ff.csv',
    'file:a%00.csv',
    'file:',
    'desk://open/x',
    '--open-spreadsheet',
    '--user-data-dir=/x.csv',
    'b.csv',
  ];
  expect(readArguments(argv, '/home/ada')).toEqual([
    { file: { path: '/lists/x y.csv', name: 'x y.csv' } },
    { screen: '/wallet' },
    { dialog: true },
    { file: { path: '/home/ada/b.csv', name: 'b.csv' } },
  ]);
});

test('each task of the taskbar icon opens what its title says', () => {
  const opened = taskbarTasks.map(([title, argument]) => [
    title,
    readArguments(['/opt/desk', argument], '/'),
  ]);
  expect(opened).toEqual([
    ['Open spreadsheet…', [{ dialog: true }]],
    ['Jobs', [{ screen: '/jobs' }]],
    ['Wallet', [{ screen: '/wallet' }]],
  ]);
});

test('the entry that starts the app at login quotes the program, and does nothing without it', () => {
  const lines = writeEntry('/home/ada/My "Apps"/100%.AppImage').split('\n');
  expect(lines).toContain('Exec="/home/ada/My \\"Apps\\"/100%%.AppImage" --hidden');
  expect(lines).toContain('TryExec=/home/ada/My "Apps"/100%.AppImage');
});

test.each([
  [['/opt/desk', '--hidden'], false, true],
  [['/opt/desk'], true, true],
  [['/opt/desk', '/lists/--hidden'], false, false],
])('a start with %j, at login on macOS: %s, is without a window: %s', (argv, atLogin, isHidden) => {
  expect(startsHidden(argv, atLogin)).toBe(isHidden);
});

// The program `desk` of the npm package. Uses only what old versions of Node can parse, so that
// they print a sentence instead of a syntax error.
import { readFileSync } from 'node:fs';

const nodeMajorMin = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < nodeMajorMin) {
  process.stderr.write(
    `Enrichment Desk needs Node ${nodeMajorMin} or newer, and this is Node ` +
      `${process.versions.node} (${process.execPath}).\n` +
      'Install a newer one from https://nodejs.org, then run the command again.\n',
  );
  process.exit(1);
}

const settings = JSON.parse(readFileSync(new URL('../environment.json', import.meta.url), 'utf8'));
const isSet = Object.keys(settings).every((name) => process.env[name] !== undefined);
// Settings of the memory allocator are read at the start of a process. A server runs for long, so
// it replaces this process by one that has them; other systems than POSIX do without.
if (process.argv[2] === 'serve' && !isSet && typeof process.execve === 'function') {
  process.emitWarning = () => {};
  const program = new URL(import.meta.url).pathname;
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, decodeURIComponent(program), ...process.argv.slice(2)],
    { ...settings, ...process.env },
  );
}
await import('../out/engine/main.js');

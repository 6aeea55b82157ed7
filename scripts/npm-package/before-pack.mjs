// Runs before `npm run pack` and `npm pack`: installs what is missing, and refuses the second one,
// which would pack the sources.
if (process.env.npm_command === 'pack') {
  console.error('The package is made from the build, not from this folder: use "npm run pack".');
  process.exit(1);
}
process.argv.push('--quiet');
await import('../bootstrap.mjs');

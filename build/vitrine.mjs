#!/usr/bin/env node
/**
 * The command `vitrine` of a clone, for `npm link`, `npm install --global .` and `npx vitrine`. Paths count from the
 * current folder: npm sets INIT_CWD for its scripts only, and a script that calls this command may have changed folder.
 */
process.env['INIT_CWD'] = process.cwd();
process.argv.splice(2, 0, 'vitrine');
await import('./run.mjs');

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { argv, env, execPath, platform, versions } from 'node:process';
import { fileURLToPath } from 'node:url';
import { installState } from './install-state.mjs';
import { findNode24 } from './node-runtime.mjs';

/**
 * Every verb of package.json comes through here: `node build/run.mjs <verb> [args]`.
 * It runs on any Node from 20 on, because that is what a machine may have; the verb itself runs on Node 24.
 */
const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {string} sentence @returns {never} */
function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} environment @returns {Promise<number>} */
function run(command, args, environment) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env: environment, stdio: 'inherit' });
    child.on('error', reject);
    // On Windows the console tells every process of its own accord, and kill() would end the child without a farewell.
    for (const signal of forwardedSignals) process.on(signal, () => platform !== 'win32' && child.kill(signal));
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/** @type {NodeJS.Signals[]} */
const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** `npm test` is promised to work on a fresh clone; every other verb leaves the network alone. @param {string} verb */
async function ensureInstalled(verb) {
  const state = installState(root);
  if (state.ready) return;
  if (verb !== 'test') refuse(`${state.reason} Run "npm ci" first.`);
  process.stderr.write(`${state.reason} Running "npm ci".\n`);
  const code = platform === 'win32' ? await run('cmd.exe', ['/d', '/c', 'npm.cmd', 'ci'], env) : await run('npm', ['ci'], env);
  if (code !== 0) refuse(`"npm ci" failed with exit code ${code}. Nothing was tested.`);
}

const [verb = '', ...args] = argv.slice(2);
const script = join(root, 'build', `${verb}.ts`);
if (!/^[a-z]+(-[a-z]+)*$/.test(verb) || !existsSync(script)) refuse(`There is no verb "${verb}". "npm run" lists them.`);
await ensureInstalled(verb);
const node = findNode24({ root, execPath, version: versions.node });
if (node === null) {
  refuse(
    `Vitrine needs Node 24 or newer, this is ${versions.node}. ` +
      'On Linux and Windows "npm ci" (with optional packages) brings it; elsewhere install it from https://nodejs.org.',
  );
}
const binFolder = join(root, 'node_modules', '.bin');
const separator = platform === 'win32' ? ';' : ':';
const pathName = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
process.exitCode = await run(node, [script, ...args], { ...env, [pathName]: `${binFolder}${separator}${env[pathName] ?? ''}` });

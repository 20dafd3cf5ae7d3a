import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { argv, env, execPath, platform, versions } from 'node:process';
import { fileURLToPath } from 'node:url';
import { installState } from './install-state.mjs';
import { findNode24, machineNode, olderNodeLine } from './node-runtime.mjs';

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
    const child = spawn(command, args, { cwd: from, env: environment, stdio: 'inherit' });
    child.on('error', reject);
    const orphaned = endWithParent(() => child.kill('SIGTERM'));
    for (const signal of forwardedSignals) process.on(signal, () => passOn(signal) && child.kill(signal));
    child.on('exit', (code, signal) => {
      clearInterval(orphaned);
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}

/**
 * Whether a signal that we got must be passed on. Ctrl-C in a terminal reaches the child by itself (a second one would
 * make it hurry), as everything does on Windows, where kill() would end it at once.
 *
 * @param {NodeJS.Signals} signal
 */
function passOn(signal) {
  return platform !== 'win32' && !(signal === 'SIGINT' && process.stdin.isTTY);
}

/**
 * npm starts us through a shell that does not pass signals on: when the shell is gone, so must we be.
 * @param {() => void} end @returns {NodeJS.Timeout}
 */
function endWithParent(end) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, 500);
  return timer;
}

/** @type {NodeJS.Signals[]} */
const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** `npm test` is promised to work on a fresh clone; every other verb leaves the network alone. @param {string} verb */
async function ensureInstalled(verb) {
  const state = installState(root);
  if (state.ready) return;
  if (verb !== 'test') refuse(`${state.reason} Run "npm ci" first.`);
  process.stderr.write(`${state.reason} Running "npm ci".\n`);
  const code =
    platform === 'win32' ? await run('cmd.exe', ['/d', '/c', 'npm.cmd', 'ci'], env) : await run('npm', ['ci'], env);
  if (code !== 0) refuse(`"npm ci" failed with exit code ${code}. Nothing was tested.`);
}

const [verb = '', ...args] = argv.slice(2);
/** The command line is the only verb that is no script of ours: nothing may come between it and its caller. */
const isCommand = verb === 'vitrine';
/** npm goes to the folder of package.json, and paths are meant from where the person is. */
const from = isCommand ? (env['INIT_CWD'] ?? process.cwd()) : root;
const script = isCommand ? join(root, 'electron', 'cli.ts') : join(root, 'build', `${verb}.ts`);
if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(verb) || !existsSync(script))
  refuse(`There is no verb "${verb}". "npm run" lists them.`);
await ensureInstalled(verb);
const node = findNode24({ root, execPath, version: versions.node });
if (node === null) {
  refuse(
    `Vitrine needs Node 24 or newer, this is ${versions.node}. ` +
      'On Linux and Windows "npm ci" (with optional packages) brings it; elsewhere install it from https://nodejs.org.',
  );
}
const version = machineNode(env['npm_config_user_agent'], versions.node);
const line = olderNodeLine({ root, verb, node, version });
if (line !== null) process.stderr.write(`${line}\n`);
const binFolder = join(root, 'node_modules', '.bin');
const separator = platform === 'win32' ? ';' : ':';
const pathName = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
// Sources are read, stripped of their types and compiled again by every program and every thread of it: kept, a thread
// starts in half the time.
const compileCache = env['NODE_COMPILE_CACHE'] ?? join(root, '.out', 'compile-cache');
const environment = {
  ...env,
  NODE_COMPILE_CACHE: compileCache,
  [pathName]: `${binFolder}${separator}${env[pathName] ?? ''}`,
};
if (isCommand && Number.parseInt(versions.node, 10) >= 24) runHere();
else process.exitCode = await run(node, [script, ...args], environment);

/** In this process: another one would take as long to start as the command to end. */
function runHere() {
  module.enableCompileCache(compileCache);
  process.chdir(from);
  argv.splice(1, argv.length - 1, script, ...args);
  module.runMain();
}

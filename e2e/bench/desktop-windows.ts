import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** What `npm run bench -- --test-electron` names, or what is pinned and installed. */
const runtime = process.env.VITRINE_ELECTRON;
const program = process.env.VITRINE_DESKTOP ?? root;

/** Why no window can be measured here, or null. */
export const windowsMissing: string | null =
  runtime === undefined ? 'there is no Electron runtime here (--test-electron fetches one)' : null;

/**
 * The least that any program in Electron is: one window with nothing in it, sandboxed as ours is. @returns its folder
 */
export async function makeEmptyProgram(folder: string): Promise<string> {
  const place = join(folder, 'empty');
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'package.json'), JSON.stringify({ name: 'empty', version: '1.0.0', main: 'main.cjs' }));
  await writeFile(
    join(place, 'main.cjs'),
    `const { app, BrowserWindow } = require(${JSON.stringify('electron')});
app.setPath('userData', ${JSON.stringify(join(place, 'profile'))});
app.enableSandbox();
app.whenReady().then(() => {
  const webPreferences = { sandbox: true, spellcheck: false };
  const opened = new BrowserWindow({ width: 1280, height: 820, show: false, webPreferences });
  opened.once('ready-to-show', () => {
    opened.show();
    console.log('shown ' + Date.now());
  });
  opened.loadURL('data:text/html,<title>Empty</title>');
});
app.on('window-all-closed', () => app.quit());
`,
  );
  return place;
}

/** Seconds from the start of the empty program to its window. */
export async function emptyStartSeconds(place: string): Promise<number> {
  const begun = Date.now();
  const child = start([place]);
  try {
    return (Number(await lineWith(child.stdout, /^shown (\d+)/)) - begun) / 1000;
  } finally {
    await end(child);
  }
}

/** Seconds from the start of Vitrine to a look-up that can be typed into. */
export async function vitrineStartSeconds(dataDirectory: string): Promise<number> {
  const begun = Date.now();
  const child = start([program, '--remote-debugging-port=0', '--data', dataDirectory]);
  try {
    const port = await lineWith(child.stderr, /^DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//);
    return ((await focusedAt(Number(port))) - begun) / 1000;
  } finally {
    await end(child);
  }
}

const targets = z.array(z.object({ type: z.string(), url: z.string(), webSocketDebuggerUrl: z.string() }));
const evaluated = z.object({ result: z.object({ result: z.object({ value: z.number() }) }) });

/** When the field of the look-up has the focus, by the page's clock: the time of the query itself does not count. */
async function focusedAt(port: number): Promise<number> {
  for (;;) {
    const listed = targets.parse(await (await fetch(`http://127.0.0.1:${port}/json/list`)).json());
    const page = listed.find(({ type, url }) => type === 'page' && url.startsWith('vitrine-page:'));
    const when = page === undefined ? null : await evaluate(page.webSocketDebuggerUrl, whenFocused);
    if (when !== null) return when;
  }
}

const whenFocused = `new Promise((resolve) => {
  const isFocused = () => document.activeElement?.matches('main input');
  const look = () => (isFocused() ? resolve(Date.now()) : requestAnimationFrame(look));
  look();
})`;

/** @returns null where the page has no script context yet, or another one by then */
async function evaluate(address: string, expression: string): Promise<number | null> {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  socket.send(
    JSON.stringify({
      id: 1,
      method: 'Runtime.evaluate',
      params: { expression, awaitPromise: true, returnByValue: true },
    }),
  );
  const answered = await new Promise<string>((resolve, reject) => {
    socket.addEventListener('message', ({ data }) => resolve(String(data)), { once: true });
    socket.addEventListener('close', () => reject(new Error('the page went away')), { once: true });
  });
  socket.close();
  const answer = evaluated.safeParse(JSON.parse(answered));
  return answer.success ? answer.data.result.result.value : null;
}

function start(args: readonly string[]): ChildProcess {
  if (runtime === undefined) throw new Error('there is no Electron runtime');
  return spawn(runtime, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function lineWith(stream: ChildProcess['stdout'], pattern: RegExp): Promise<string> {
  if (stream === null) throw new Error('it has no output');
  const lines = createInterface(stream);
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const [, found] = pattern.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
    lines.once('close', () => reject(new Error(`it ended before it printed ${pattern}`)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/**
 * MiB that a program and all processes it started hold: what several share is counted once, in parts (proc(5), Pss of
 * smaps_rollup).
 */
export async function proportionalMiB(pid: number): Promise<number> {
  const parents = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => [Number(name), await parentOf(name)] as const),
  );
  const family = new Set([pid]);
  // A child may be listed before its parent.
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const [child, parent] of parents) if (family.has(parent)) family.add(child);
  }
  const held = await Promise.all([...family].map(pssKib));
  return held.reduce((sum, kib) => sum + kib, 0) / 1024;
}

async function parentOf(pid: string): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name in brackets may hold anything, brackets and blanks too.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? -1);
}

async function pssKib(pid: number): Promise<number> {
  const [, kib] = /^Pss:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  if (kib === undefined) throw new Error(`the kernel does not say what process ${pid} holds`);
  return Number(kib);
}

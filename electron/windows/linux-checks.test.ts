import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  answersAt,
  type DisplayFacts,
  type MessagePorts,
  missingDisplay,
  missingSandbox,
  showByTool,
} from './linux-checks.ts';

const bare = { args: ['vitrine'], env: { XDG_RUNTIME_DIR: '/run/user/1' }, system: 'linux' } as const;

/** What is missing where only these addresses answer, and the addresses that were tried. */
async function missing(changes: Partial<DisplayFacts>, ...answering: string[]) {
  const tried: string[] = [];
  const found = await missingDisplay({ ...bare, ...changes }, async (place) => {
    const address = 'path' in place ? place.path.replace('\0', '@') : `${place.host}:${place.port}`;
    tried.push(address);
    return answering.includes(address);
  });
  return { what: found?.what ?? null, tried };
}

const needsDisplay = 'Vitrine needs a display';
const x11 = '/tmp/.X11-unix/X';

test.each<[string, Partial<DisplayFacts>]>([
  ['no display is named', {}],
  ['DISPLAY is empty', { env: { DISPLAY: '' } }],
  ['DISPLAY names no display', { env: { DISPLAY: 'screen' } }],
  ['nothing answers at DISPLAY', { env: { DISPLAY: ':55' } }],
  ['DISPLAY has no port', { env: { DISPLAY: ':70000' } }],
  ['nothing answers at a socket by name', { env: { DISPLAY: 'unix:55.0' } }],
  ['nothing answers at WAYLAND_DISPLAY', { env: { WAYLAND_DISPLAY: 'wayland-7', XDG_RUNTIME_DIR: '/run/user/1' } }],
  ['WAYLAND_DISPLAY has no folder', { env: { WAYLAND_DISPLAY: 'wayland-0' } }],
  ['X11 is asked for', { args: ['vitrine', '--ozone-platform=x11'] }],
  [
    'X11 is asked for and only Wayland is there',
    { args: ['vitrine', '--ozone-platform=x11'], env: { WAYLAND_DISPLAY: '/run/w' } },
  ],
  [
    'Wayland is asked for and only X11 is there',
    { args: ['vitrine', '--ozone-platform=wayland'], env: { DISPLAY: ':0' } },
  ],
  ['the platform is asked for behind --', { args: ['vitrine', '--', '--ozone-platform=headless'] }],
])('Linux has no display when %s', async (_when, changes) => {
  expect((await missing(changes, `${x11}0`, '/run/w')).what).toBe(needsDisplay);
});

test.each<[string, Partial<DisplayFacts>, string]>([
  ['an abstract socket of X11', { env: { DISPLAY: ':12.0' } }, `@${x11}12`],
  ['a socket of X11', { env: { DISPLAY: ':12' } }, `${x11}12`],
  ['a named socket of X11', { env: { DISPLAY: 'unix:12' } }, `${x11}12`],
  ['a port of X11', { env: { DISPLAY: ':12' } }, 'localhost:6012'],
  [
    'a socket of Wayland',
    { env: { WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: '/run/user/1' } },
    '/run/user/1/wayland-0',
  ],
  ['a socket of Wayland by its path', { env: { WAYLAND_DISPLAY: '/run/w' } }, '/run/w'],
  [
    'the usual socket of Wayland, if that is asked for',
    { args: ['vitrine', '--ozone-platform=wayland'] },
    '/run/user/1/wayland-0',
  ],
  ['Wayland while X11 does not', { env: { DISPLAY: ':55', WAYLAND_DISPLAY: '/run/w' } }, '/run/w'],
])('Linux has a display when %s answers', async (_what, changes, address) => {
  expect((await missing(changes, address)).what).toBeNull();
});

test.each<[string, Partial<DisplayFacts>]>([
  ['a display of another computer', { env: { DISPLAY: 'localhost:10.0' } }],
  ['a display by the path of its socket', { env: { DISPLAY: '/tmp/launch/org.x:0' } }],
  ['no display', { args: ['vitrine', '--ozone-platform=x11', '--ozone-platform=headless'] }],
  ['a display of Windows', { system: 'win32' }],
  ['a display of macOS', { system: 'darwin' }],
])('Chromium is left to detect the display for %s', async (_what, changes) => {
  expect(await missing(changes)).toEqual({ what: null, tried: [] });
});

test('an X11 socket requested by name has no port', async () => {
  expect((await missing({ env: { DISPLAY: 'unix:3' } })).tried).toEqual([`@${x11}3`, `${x11}3`]);
});

test('a display socket answers when a server listens, and not when it was left behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-display-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [path, abstract] = [join(folder, 'X0'), `\0${folder}/X0`];
  const servers = await Promise.all(
    [path, abstract].map(async (place) => {
      const server = createServer();
      server.listen(place);
      await once(server, 'listening');
      return server;
    }),
  );
  expect([
    await answersAt({ path }),
    await answersAt({ path: abstract }),
    await answersAt({ path: join(folder, 'X1') }),
  ]).toEqual([true, true, false]);
  for (const server of servers) server.close();
  await writeFile(path, '');
  expect([await answersAt({ path }), await answersAt({ path: abstract })]).toEqual([false, false]);
});

/** Of a system that has those tools. */
function shownBy(...paths: string[]) {
  const run: { command: string; args: string[]; options: unknown }[] = [];
  const env = { PATH: 'bin:/usr/local/bin:/usr/bin', LD_LIBRARY_PATH: '/tmp/.mount/usr/lib', DISPLAY: ':0' };
  const spawn: MessagePorts['spawn'] = (command, args, options) => {
    run.push({ command, args, options });
    return { on: () => {}, unref: () => {} };
  };
  showByTool(missingSandbox, { env, exists: (path) => paths.includes(path), spawn });
  return run;
}

test.each([
  ['/usr/bin/zenity', ['/usr/bin/zenity', '/usr/bin/kdialog', '/usr/bin/xmessage']],
  ['/usr/local/bin/kdialog', ['/usr/local/bin/kdialog', '/usr/bin/xmessage']],
  ['/usr/bin/xmessage', ['/usr/bin/xmessage', 'bin/zenity']],
])('a message is shown by %s when the system has %j', (tool, paths) => {
  const [shown, ...others] = shownBy(...paths);
  expect([shown?.command, others]).toEqual([tool, []]);
  expect(shown?.args.join(' ').replaceAll(/\s+/g, ' ')).toContain(missingSandbox.then);
});

test('the message tool gets the system’s own libraries and outlives the program', () => {
  expect(shownBy('/usr/bin/zenity')[0]?.options).toEqual({
    detached: true,
    stdio: 'ignore',
    env: { PATH: 'bin:/usr/local/bin:/usr/bin', DISPLAY: ':0' },
  });
});

test('a system without a message tool shows nothing', () => {
  expect(shownBy()).toEqual([]);
});

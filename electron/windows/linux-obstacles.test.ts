import { expect, test } from 'vitest';
import { type MessagePorts, missingDisplay, missingSandbox, showByTool } from './linux-obstacles.ts';

test('Linux without a display is an obstacle, and nothing else is', () => {
  const bare = { args: ['vitrine'], env: {}, system: 'linux' } as const;
  expect(missingDisplay(bare)?.what).toBe('Vitrine needs a display');
  expect(missingDisplay({ ...bare, env: { DISPLAY: '' } })).not.toBeNull();
  expect([
    missingDisplay({ ...bare, env: { DISPLAY: ':0' } }),
    missingDisplay({ ...bare, env: { WAYLAND_DISPLAY: 'wayland-0' } }),
    missingDisplay({ ...bare, args: ['vitrine', '--ozone-platform=headless'] }),
    missingDisplay({ ...bare, system: 'win32' }),
    missingDisplay({ ...bare, system: 'darwin' }),
  ]).toEqual([null, null, null, null, null]);
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

test('the tool gets the system\'s own libraries, and outlives the program', () => {
  expect(shownBy('/usr/bin/zenity')[0]?.options).toEqual({ detached: true, stdio: 'ignore', env: { PATH: 'bin:/usr/local/bin:/usr/bin', DISPLAY: ':0' } });
});

test('a system without such a tool shows nothing', () => {
  expect(shownBy()).toEqual([]);
});

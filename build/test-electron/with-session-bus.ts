import { spawn } from 'node:child_process';
import { runCommand } from '../run-command.ts';
import { endProcess, firstLine } from './display.ts';

/**
 * `node with-session-bus.ts COMMAND [args]`: runs it with a session bus of its own, passes signals on to it, and ends
 * the bus after it. Not by `dbus-run-session`, which ends alone at a signal. The bus compares user ids, so it is in the
 * same user namespace as the command.
 */
const [command = '', ...args] = process.argv.slice(2);
// Apart: Ctrl-C reaches every process of a terminal, and the bus is needed until the tests have ended.
const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
  stdio: ['ignore', 'pipe', 'ignore'],
  detached: true,
});
process.on('exit', () => bus.kill());
const address = await firstLine(bus);
const { code } = await runCommand(command, args, { env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: address } });
await endProcess(bus);
process.exitCode = code;

import { join } from 'node:path';
import { defaultRepositoryOptions, defaultTimeouts } from '../../../shared/domain/workspace.ts';
import { eicarMd5 } from '../../eicar.ts';
import { startProgram } from '../../program.ts';
import { startTeam, type Team } from '../../team.ts';
import { run, runEntry } from '../child.ts';
import { type HostCalls, openHostCalls } from '../host-calls.ts';
import { median, type Measured, type Row, type RowSettings } from '../row.ts';
import { settled } from './bulk.ts';

/** One look-up by the built command line with Vitrine open, from the start of the process to its end. */
export const lookupCli: Row = {
  name: 'lookup-cli',
  reference: 'curl of the same getfile',
  limit: 'Starting Node and loading the modules of the command line.',
  aim: 6,
  must: 12,
  residentMustMiB: null,
  measure: compare,
};

async function compare({ folder, quick }: RowSettings): Promise<Measured> {
  await Promise.all([
    runEntry('build/page.ts', []),
    run(process.execPath, [
      'node_modules/vite/bin/vite.js',
      'build',
      '-c',
      'build/vite.host.ts',
      '--logLevel',
      'error',
    ]),
  ]);
  const team = await startTeam(join(folder, 'team'));
  const data = join(folder, 'data');
  const vitrine = startProgram('electron/web.ts', ['--port', '0', '--data', data, '--no-open']);
  try {
    const [link] = await vitrine.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
    await useTeam(await openHostCalls(link), team);
    return { ratio: median(await ratios({ data, team, rounds: quick ? 15 : 41 })), residentMiB: null };
  } finally {
    await vitrine.stop();
    await team.stop();
  }
}

async function useTeam(call: HostCalls, { labUrl, token }: Team): Promise<void> {
  const { id } = await call('workspaces.add', {
    name: 'Team',
    repository: { baseUrl: labUrl, token: { kind: 'set', token } },
    ruleEditor: null,
    allowHttp: true,
    trust: { kind: 'system' },
    timeouts: defaultTimeouts,
    options: defaultRepositoryOptions,
  });
  await call('workspaces.switch', { id });
}

/** By turns, so that what else the machine does meets both. */
async function ratios({ data, team, rounds }: { data: string; team: Team; rounds: number }): Promise<number[]> {
  const curl = [
    '-s',
    '-S',
    '-f',
    '-o',
    '/dev/null',
    `${team.labUrl}/api.php?action=getfile&hash=${eicarMd5}&token=${team.token}`,
  ];
  const lookup = ['.out/host/electron/cli.js', 'lookup', eicarMd5, '--data', data];
  // The files are in memory then, and the lab is warm.
  await Promise.all([run('curl', curl), run(process.execPath, lookup)]);
  await settled();
  const measured: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const reference = await seconds('curl', curl);
    measured.push((await seconds(process.execPath, lookup)) / reference);
  }
  return measured;
}

async function seconds(command: string, args: readonly string[]): Promise<number> {
  const begun = performance.now();
  await run(command, args);
  return (performance.now() - begun) / 1000;
}

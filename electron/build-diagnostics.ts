import { existsSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };
import type { Foundation, Services } from './services.ts';
import type { ProgramFacts } from './services/diagnostics/collecting.ts';
import { DiagnosticsService } from './services/diagnostics/diagnostics.ts';
import { requireUnwatched } from './services/watch/folder-check.ts';

/** This program, and what scans in it. */
export const programFacts: Pick<ProgramFacts, 'version' | 'engines'> = {
  version: packageJson.version,
  engines: {
    'yara-x portable': packageJson.devDependencies['@virustotal/yara-x'],
    'yara-x native': packageJson.optionalDependencies['@litko/yara-x'],
  },
};

/** What runs now is described in words of the program and numbers alone. */
export function buildDiagnostics(
  { platform, stores, failures, logDefect }: Foundation,
  { host, lab, scans, exports, jobs }: Pick<Services, 'host' | 'lab' | 'scans' | 'exports' | 'jobs'>,
): DiagnosticsService {
  return new DiagnosticsService({
    platform,
    failures,
    logDefect,
    program: programFacts,
    secrets: () => stores.log.secrets,
    running: {
      lab: () => ({ state: lab.state.state, restarts: lab.state.restarts, failure: lab.state.failure?.kind ?? null }),
      tokenStore: () => ({ store: stores.tokens.state().store, state: stores.tokens.state().state }),
      engine: async () => {
        const { engine, chosen, nativeFailure } = await scans.engine();
        return { used: engine, chosen, nativeRefused: nativeFailure !== null };
      },
      jobs: () => jobs.running,
      data: () => (existsSync(stores.databasePath) ? 'there' : 'gone'),
    },
    requireUnwatched: (folder) => requireUnwatched(folder, stores.watch.watched()),
    namedFolder: (id) => host.namedFolder(id),
    offer: (prepared) => exports.offer(prepared),
    logSaved: (missing) => stores.log.write('info', 'diagnostics', { missing }),
  });
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { root } from './paths.ts';

/** The servers on which labs keep their data during a run of browser tests. */
export interface TeamServers {
  /** How tests find them, and what labs need to be let in. */
  env: NodeJS.ProcessEnv;
  end(): Promise<void>;
}

const program = join(root, 'electron', 'team-lab', 'testing', 'team-servers.fixture.ts');
const ready = z.object({ url: z.string(), environment: z.record(z.string(), z.string()) });

/** They end with this process, whatever ends it. @returns them, or why there are none, in a few words */
export async function startTeamServers(): Promise<TeamServers | string> {
  // In a process group of its own: at Ctrl+C the labs end first, and release what they have.
  const child = spawn(process.execPath, [program], { cwd: root, detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const first = createInterface(child.stdout)[Symbol.asyncIterator]().next();
  const { done, value } = await first;
  if (done === true) return 'the servers of the team did not start';
  const { url, environment } = ready.parse(JSON.parse(value));
  return {
    env: { ...environment, VITRINE_TEAM_SERVERS: url },
    end: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

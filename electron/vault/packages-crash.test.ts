import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { longAfter } from '../../shared/testing/long-after.ts';
import { temporaryFolder } from '../base/temporary-folder.fixture.ts';
import { filesUnder } from './eicar.fixture.ts';
import { openedPackages } from './packages.fixture.ts';

/**
 * Lets a program that receives one package after the other run until it has reported so many, and kills it immediately.
 */
async function killedAfter(folder: string, packages: number): Promise<[string, string][]> {
  const program = join(import.meta.dirname, 'receiving.fixture.ts');
  const child = spawn(execPath, ['--disable-warning=ExperimentalWarning', program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const reported: [string, string][] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [workspaceId = '', sha256 = ''] = line.split(' ');
    reported.push([workspaceId, sha256]);
    if (reported.length === packages) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
  return reported;
}

for (const { tags, cases } of longAfter(1, [[[7]], [[1, 7]]]))
  test.each(cases)(
    'a program killed midway keeps every received package and no partial one: after %j of them',
    { tags },
    async (moments) => {
      const folder = temporaryFolder();
      for (const count of moments) {
        const reported = await killedAfter(folder, count);
        expect(reported.length).toBeGreaterThanOrEqual(count);
        const packages = await openedPackages(folder);
        expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
        for (const [workspaceId, sha256] of reported) await packages.check(workspaceId, sha256);
        const isReported = (workspaceId: string, sha256: string): boolean =>
          reported.some(([id, name]) => id === workspaceId && name === sha256);
        await packages.sweep(isReported);
        expect(await filesUnder(folder)).toHaveLength(new Set(reported.map(([, sha256]) => sha256)).size);
      }
    },
  );

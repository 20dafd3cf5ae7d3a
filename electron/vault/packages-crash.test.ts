import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { longAfter } from '../../shared/testing/long-after.ts';
import { filesUnder, temporaryFolder } from './eicar.fixture.ts';
import { openedPackages } from './packages.fixture.ts';

/** Lets a program that receives one package after the other run until it told so many, and kills it then and there. */
async function killedAfter(folder: string, packages: number): Promise<[string, string][]> {
  const program = join(import.meta.dirname, 'receiving.fixture.ts');
  const child = spawn(execPath, ['--disable-warning=ExperimentalWarning', program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const told: [string, string][] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [workspaceId = '', sha256 = ''] = line.split(' ');
    told.push([workspaceId, sha256]);
    if (told.length === packages) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
  return told;
}

for (const { tags, cases } of longAfter(1, [[[7]], [[1, 7]]]))
  test.each(cases)(
    'a program killed in the middle keeps every package that it had received, and nothing half: after %j of them',
    { tags },
    async (moments) => {
      const folder = await temporaryFolder();
      for (const count of moments) {
        const told = await killedAfter(folder, count);
        expect(told.length).toBeGreaterThanOrEqual(count);
        const packages = await openedPackages(folder);
        expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
        for (const [workspaceId, sha256] of told) await packages.check(workspaceId, sha256);
        const isTold = (workspaceId: string, sha256: string): boolean =>
          told.some(([id, name]) => id === workspaceId && name === sha256);
        await packages.sweep(isTold);
        expect(await filesUnder(folder)).toHaveLength(new Set(told.map(([, sha256]) => sha256)).size);
      }
    },
  );

import { randomBytes } from 'node:crypto';
import { openPackages, type Packages } from './packages.ts';
import { inPieces } from './pieces.fixture.ts';

/**
 * A program to be killed: receives small and large packages without an end, in two workspaces at a time, and prints
 * workspace and SHA-256 of each once it is received. Its argument is the folder.
 */
async function forever(packages: Packages, workspaceId: string): Promise<never> {
  for (let turn = 0; ; turn += 1) {
    const { sha256 } = await packages.receive(workspaceId, inPieces(randomBytes(turn % 3 === 0 ? 2_000_000 : 20_000)), {
      atMostBytes: 4_000_000,
    });
    process.stdout.write(`${workspaceId} ${sha256}\n`);
  }
}

const packages = await openPackages(process.argv[2] ?? '');
await Promise.all([forever(packages, 'lab'), forever(packages, 'w-1')]);

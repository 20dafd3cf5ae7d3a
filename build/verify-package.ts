import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildTree, packStandIn } from './pack-program.ts';
import { faultsOf, mostArchiveBytes, packedFiles, sha256Of } from './packed-program.ts';
import { exitCodeOf } from './run-command.ts';

interface Verified {
  files: number;
  besides: number;
  bytes: number;
  sha256: string;
  faults: string[];
}

/**
 * Builds and packs the program twice, each time from nothing, and reports its contents.
 *
 * @returns whether both hold what they should, and are the same
 */
export async function verifyPackage(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-package-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  // First a running build gets it: else it would make the folder again.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => setImmediate(() => process.exit(exitCodeOf(signal))));
  const first = await builtAndPacked(join(folder, 'first'));
  const second = await builtAndPacked(join(folder, 'second'));
  return report(first, second);
}

async function builtAndPacked(tree: string): Promise<Verified> {
  await buildTree(tree);
  const { archive } = await packStandIn(tree);
  const files = packedFiles(archive);
  const besides = files.filter(({ isBeside }) => isBeside).length;
  return {
    files: files.length,
    besides,
    bytes: statSync(archive).size,
    sha256: sha256Of(archive),
    faults: faultsOf(archive),
  };
}

function report(first: Verified, second: Verified): boolean {
  const isSame = first.sha256 === second.sha256;
  const faults = [...first.faults, ...(isSame ? [] : ['two builds of the same sources differ'])];
  const lines = [
    `files      ${first.files}, of them ${first.besides} beside the archive`,
    `bytes      ${first.bytes} of at most ${mostArchiveBytes}`,
    `1st build  ${first.sha256}`,
    `2nd build  ${second.sha256}`,
    ...faults.map((fault) => `✗ ${fault}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return faults.length === 0;
}

import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Locator, test } from '@playwright/test';

export interface PickedFile {
  name: string;
  bytes: Uint8Array | string;
}

/**
 * Picks files as a person does, from a folder: the desktop takes a file by its path, and one that Playwright makes in
 * the page has none.
 */
export async function pickFiles(picker: Locator, ...files: readonly PickedFile[]): Promise<void> {
  await picker.setInputFiles(await filesToPick(...files));
}

/** Writes them into a folder of their own, among what the test leaves. @returns their paths */
export async function filesToPick(...files: readonly PickedFile[]): Promise<string[]> {
  const parent = test.info().outputPath();
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'picked-'));
  const paths = files.map(({ name }) => join(folder, name));
  for (const [index, { bytes }] of files.entries()) await writeFile(paths[index] ?? folder, bytes);
  return paths;
}

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const containerName = /^([0-9a-f]{32})\.(?:staged|part)$/;

/**
 * Where a container lies once it is whole: until then it bears another name, and a killed program's is told by that.
 */
export const stagedContainerPath = (folder: string, id: string): string => join(folder, `${id}.staged`);

export interface LeftContainer {
  id: string;
  path: string;
}

/** Whole containers and unfinished ones, in no order. Throws the system's errors. */
export async function containersIn(folder: string): Promise<LeftContainer[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => {
    const [, id] = containerName.exec(name) ?? [];
    return id === undefined ? [] : [{ id, path: join(folder, name) }];
  });
}

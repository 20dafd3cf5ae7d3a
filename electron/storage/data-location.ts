import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { fail } from '../../shared/failure.ts';
import { writeFileAtomic } from './atomic-file.ts';
import { locationFile } from './location-file.ts';
import { makeFolder } from './make-folder.ts';
import { endMark } from './move-mark.ts';
import { readJson } from './stored-json.ts';

const location = z.object({ directory: z.string().refine(isAbsolute) });

export interface DataChoice {
  /** The directory that the person named for this start. */
  named: string | null;
  /** The one of this person on this system when nobody names one. */
  usual: string;
}

/**
 * The directory to open: the one that is named, else where the data was moved to, else the usual one. Fails with
 * `data-gone` when it was moved and is not there, instead of beginning an empty desk; with `location-damaged` and
 * `data-unfinished`.
 */
export function findDataDirectory(choice: DataChoice): string {
  const directory = placeToOpen(choice);
  endMark(directory);
  return directory;
}

/** The same place, whatever is in it. Fails with `data-gone`, `location-damaged`. */
export const placeToOpen = ({ named, usual }: DataChoice): string => named ?? movedTo(usual) ?? usual;

/** From now on the data is in that directory. Fails as `writeFileAtomic` does, and it is where it was then. */
export async function pointTo(directory: string, usual: string): Promise<void> {
  makeFolder(dirname(usual));
  await writeFileAtomic(locationFile(usual), JSON.stringify({ directory }));
}

export const holdsData = (directory: string): boolean => existsSync(join(directory, 'vitrine.db'));

function movedTo(usual: string): string | null {
  const path = locationFile(usual);
  if (!existsSync(path)) return null;
  const read = location.safeParse(readJson(readFileSync(path, 'utf8')));
  if (!read.success) return fail({ kind: 'location-damaged', path });
  const { directory } = read.data;
  if (!holdsData(directory)) fail({ kind: 'data-gone', path: directory });
  return directory;
}

import { nameTraitOf } from '../archive-names.ts';

/**
 * What a job's export is called until it is finished: by the desk and the job alone, so that after a crash it can be
 * found and removed, and another desk's, which may write into the same folder, is left alone. `desk`: see
 * `BackupStore.deskId`.
 */
export const unfinishedNameOf = (desk: string, jobId: number): string =>
  `.vitrine-${desk.slice(0, deskDigits)}-job-${jobId}.part`;

const deskDigits = 12;

/** `20261118T142936Z_112`, in UTC. */
export const exportStem = (time: Date, samples: number): string =>
  `${time.toISOString().replace(/[-:]|\.\d+/g, '')}_${samples}`;

/** What Windows takes in no name, and what is not seen in one. */
const unfit = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u;
const unfitRuns = /(?:\s*[<>:"/\\|?*\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}])+/gu;
/** A name that begins like this is an option to a program, or hidden; Windows drops dots and spaces at an end. */
const unfitEnds = /^[-.~\s]+|[-.\s]+$/gu;

/** Bytes: disks take 255, and a file is called longer while it is written, or once its name was taken. */
const longestStem = 150;
const longestName = 220;

/** A file's name without its extension from what a person called something. Letters of every script stay. */
export function stemOfTitle(title: string): string {
  const words = title
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replace(unfitRuns, '-')
    .replaceAll(/\s+/gu, ' ')
    .replace(unfitEnds, '');
  const stem = cutToBytes(words, longestStem).replace(unfitEnds, '');
  if (stem === '') return 'case';
  return nameTraitOf(stem) === 'reserved' ? `_${stem}` : stem;
}

/** Whether an export may be called so in a folder of the person's, on every system. */
export const isFileName = (name: string): boolean =>
  name !== '' &&
  !unfit.test(name) &&
  name.replace(unfitEnds, '') === name &&
  nameTraitOf(name) === null &&
  Buffer.byteLength(name) <= longestName;

/** Whole characters, as a person counts them. */
function cutToBytes(text: string, most: number): string {
  let [cut, bytes] = ['', 0];
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > most) break;
    cut += segment;
  }
  return cut;
}

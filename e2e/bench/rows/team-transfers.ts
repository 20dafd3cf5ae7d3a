import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { run } from '../child.ts';
import { writeKnownFile } from '../known-file.ts';
import { peakResidentMiB } from '../peak-resident.ts';
import { processorSeconds, processorTimeMissing } from '../processor-time.ts';
import { median, type Measured, type Row, type RowSettings } from '../row.ts';
import { missingForTeam, type ServedTeamLab, TeamPlace } from '../team-place.ts';

const kib = 1024;
const mib = 1024 * kib;
const client = 'e2e/bench/team-client.ts';
const atOnce = 8;
const smallBytes = 8 * kib;
const warmUps = 500;

const spent = z.object({ processorSeconds: z.number() });
const tookSeconds = z.object({ seconds: z.number() });

/** What an upload costs a lab besides its bytes, in processor time: the rest of a machine does not change that. */
export const teamUpload10k: Row = {
  name: 'team-upload-10k',
  reference:
    'processor time of a script that hashes as many bytes three ways, encrypts them, and sends each to the same ' +
    'store by PUT and to the same database as a row; ours is that of the lab for 10,000 uploads of 8 KiB',
  limit:
    'A request with a form around each sample, a signature of the request to the store, the query that puts who ' +
    'uploaded it on record, and a line in the log: the reference has none of them.',
  aim: 2,
  must: 3,
  residentMustMiB: null,
  missing: async () => processorTimeMissing ?? (await missingForTeam()()),
  measure: compareUploads,
};

/** What was uploaded in this run, for a row that scans it. */
let uploaded: { samples: number; place: TeamPlace } | null = null;

async function compareUploads({ quick }: RowSettings): Promise<Measured> {
  const place = await TeamPlace.create();
  const lab = await place.serve();
  const each = quick ? 300 : 2_000;
  await uploads(lab, warmUps, smallBytes);
  const ratios: number[] = [];
  for (let round = 0; round < (quick ? 3 : 5); round += 1) {
    const before = processorSeconds(lab.pid);
    await uploads(lab, each, smallBytes);
    const ours = processorSeconds(lab.pid) - before;
    const args = [place.database, place.bucket, String(each), String(atOnce)];
    const reference = spent.parse(JSON.parse(await place.reference('bare-uploads', ...args)));
    ratios.push(ours / reference.processorSeconds);
  }
  uploaded = { samples: warmUps + each * ratios.length, place };
  return { ratio: median(ratios), residentMiB: await peakResidentMiB(lab.pid) };
}

/** A team's samples of 8 KiB, which rows of one run share. */
export async function uploadedPlace(samples: number): Promise<{ samples: number; place: TeamPlace }> {
  if (uploaded !== null && uploaded.samples >= samples) return uploaded;
  const place = await TeamPlace.create();
  const lab = await place.serve();
  await uploads(lab, samples, smallBytes);
  await lab.stop();
  uploaded = { samples, place };
  return uploaded;
}

const uploads = (lab: ServedTeamLab, count: number, sizeBytes: number, most = atOnce): Promise<string> =>
  run(process.execPath, [client, 'upload', lab.action('uploadfiles'), String(count), String(most), String(sizeBytes)]);

/** One large sample, in and out again. */
export const team1g: Row = {
  name: 'team-1g',
  reference:
    'a script that puts the file into the same store in the same parts, and curl -so f from it; a length that is not ' +
    'known before leaves no other way',
  limit:
    'Hashing and encrypting, in the one thread of the lab, while the store waits. The store of the tests puts the ' +
    'parts together at the end, for which one PUT of the whole file (curl -T) has no need. Down, the lab receives, ' +
    'decrypts and sends each byte in that thread: decrypting alone takes more than half of the time in which the ' +
    'store sends the file, and lab, store and curl share two cores.',
  aim: null,
  must: 1.5,
  residentMustMiB: null,
  missing: missingForTeam(),
  measure: compareTransfers,
};

async function compareTransfers({ folder, quick }: RowSettings): Promise<Measured> {
  const file = await writeKnownFile(join(folder, 'f'), (quick ? 128 : 1024) * mib);
  const place = await TeamPlace.create();
  const lab = await place.serve();
  const object = `${place.bucket}/bare`;
  const rounds: { ours: Transfer; bare: Transfer }[] = [];
  for (let round = 0; round < 3; round += 1) {
    // The lab does not store again what it has.
    await changeBeginning(file.path, round);
    await run('curl', ['-sfT', file.path, object]);
    const parts = tookSeconds.parse(JSON.parse(await place.reference('bare-parts', place.blobs, file.path)));
    const up = await seconds(['-sfF', `files[]=@${file.path}`, lab.action('uploadfiles')]);
    const [, md5 = ''] = /"md5":"([0-9a-f]{32})","sha1"/.exec(up.printed) ?? [];
    const received = join(folder, 'received');
    const downs: { ours: number; bare: number }[] = [];
    for (let time = 0; time < 3; time += 1) {
      const bare = await downloadSeconds(object, received);
      downs.push({ bare, ours: await downloadSeconds(`${lab.action('downloadfile')}&file=${md5}`, received) });
      await run('cmp', [file.path, received]);
    }
    rounds.push({
      ours: { up: up.seconds, down: median(downs.map(({ ours }) => ours)) },
      bare: { up: parts.seconds, down: median(downs.map(({ bare }) => bare)) },
    });
  }
  const ratioOf = (took: (transfer: Transfer) => number): number =>
    median(rounds.map(({ ours, bare }) => took(ours) / took(bare)));
  return {
    ratio: ratioOf(({ up, down }) => up + down),
    residentMiB: await peakResidentMiB(lab.pid),
    held: [
      { what: 'up, ratio', value: ratioOf(({ up }) => up), must: 1.5 },
      { what: 'down, ratio', value: ratioOf(({ down }) => down), must: 1.5 },
    ],
  };
}

/** In seconds, of the same bytes. */
interface Transfer {
  up: number;
  down: number;
}

/** Begins when the disk has what was written before, of which the uploads in front leave gigabytes. */
async function downloadSeconds(address: string, path: string): Promise<number> {
  await rm(path, { force: true });
  await run('sync', []);
  return (await seconds(['-sfo', path, address])).seconds;
}

async function changeBeginning(path: string, round: number): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.write(Buffer.from(`round ${round}`), 0, null, 0);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function seconds(curl: readonly string[]): Promise<{ seconds: number; printed: string }> {
  const begun = performance.now();
  const printed = await run('curl', curl);
  return { seconds: (performance.now() - begun) / 1000, printed };
}

const uploadsAtOnce = 16;

/** As many uploads as a lab accepts at a time, each of a large sample. */
export const teamMemory: Row = {
  name: 'team-memory',
  reference: 'memory only',
  limit: 'One part of 5 MiB of each upload, and what is on its way to it.',
  aim: null,
  must: null,
  residentMustMiB: 300,
  onlyFull: true,
  missing: missingForTeam(),
  measure: measureMemory,
};

async function measureMemory({ quick }: RowSettings): Promise<Measured> {
  const place = await TeamPlace.create();
  const lab = await place.serve();
  await uploads(lab, uploadsAtOnce, (quick ? 64 : 1024) * mib, uploadsAtOnce);
  return { ratio: null, residentMiB: await peakResidentMiB(lab.pid) };
}

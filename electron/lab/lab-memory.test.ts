import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundary, file, formHeaders, multipart } from './multipart-body.fixture.ts';
import { labCommandHere, openUpload, type RunningLab, startLabProcess } from './running-lab.fixture.ts';

const megabyte = 1024 * 1024;
/** Twice what a transfer may add to the peak of a lab at work: one that held it whole is found out. */
const sizeBytes = 100 * megabyte;
const mostAddedBytes = 50 * megabyte;
const onLinux = process.platform === 'linux';

/** The most memory a process ever held, in bytes, as Linux counts it (proc_pid_status(5)). */
async function peakResidentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1024;
}

async function downloadedBytes(address: string): Promise<number> {
  const [response]: IncomingMessage[] = await once(get(address), 'response');
  let received = 0;
  for await (const chunk of response ?? []) received += Buffer.isBuffer(chunk) ? chunk.length : 0;
  return received;
}

/** The data of a lab with one large file that does not shrink. */
let data: string;
let md5: string;
beforeAll(async () => {
  if (!onLinux) return;
  data = await mkdtemp(join(tmpdir(), 'vitrine-lab-'));
  const path = join(data, 'packed.bin');
  await writeFile(path, randomBytes(sizeBytes));
  md5 = (await labCommandHere('add', path, '--data', data)).slice(0, 32);
});
afterAll(() => onLinux && rm(data, { recursive: true, force: true }));

/** A lab whose rules are compiled and that has sent the file once: neither counts as growth. */
async function startLabWithFile(): Promise<{ lab: RunningLab; address: (query: string) => string }> {
  const lab = await startLabProcess(data);
  const body = multipart(file('small.bin', randomBytes(1024)));
  expect((await lab.askRules('scanfile', {}, { method: 'POST', headers: formHeaders, body })).status).toBe(200);
  await downloadedBytes(`${lab.origin}/repository/api.php?action=downloadfile&file=${md5}&token=${lab.token}`);
  return { lab, address: (query) => `${lab.origin}/repository/api.php?${query}&token=${lab.token}` };
}

test.skipIf(!onLinux)(
  'the lab’s memory does not grow in a large download with one fast reader and four stalled ones',
  async () => {
    const { lab, address: at } = await startLabWithFile();
    const address = at(`action=downloadfile&file=${md5}`);
    const before = await peakResidentBytes(lab.process.pid ?? 0);
    const stalled = Array.from({ length: 4 }, () => get(address));
    await Promise.all(stalled.map((request) => once(request, 'response')));
    expect(await downloadedBytes(address)).toBe(sizeBytes);
    expect(await peakResidentBytes(lab.process.pid ?? 0)).toBeLessThan(before + mostAddedBytes);
    for (const request of stalled) request.destroy();
    await lab.stop();
  },
);

test.skipIf(!onLinux)(
  'the lab’s memory does not grow in a bulk download, and other requests are still answered',
  { tags: ['long'] },
  async () => {
    const { lab, address } = await startLabWithFile();
    const before = await peakResidentBytes(lab.process.pid ?? 0);
    const stalled = Array.from({ length: 4 }, () => get(address(`action=bulkdownload&files[]=${md5}`)));
    await Promise.all(stalled.map((request) => once(request, 'response')));
    const bulk = {
      over: false,
      bytes: downloadedBytes(address(`action=bulkdownload&files[]=${md5}`)).finally(() => (bulk.over = true)),
    };
    for (let answered = 0; answered < 4; answered += 1) await (await lab.ask('getfile', { hash: md5 })).arrayBuffer();
    expect(bulk.over).toBe(false);
    expect(await bulk.bytes).toBeGreaterThan(sizeBytes);
    expect(await peakResidentBytes(lab.process.pid ?? 0)).toBeLessThan(before + mostAddedBytes);
    for (const request of stalled) request.destroy();
    await lab.stop();
  },
);

const partHead = `--${boundary}\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n`;

/** Uploads one file of so many MiB, made on the way. Its status. */
async function uploaded(lab: RunningLab, megabytes: number): Promise<number | undefined> {
  const upload = openUpload(lab);
  const answered = once(upload, 'response');
  upload.write(partHead);
  const piece = randomBytes(megabyte);
  for (let sent = 0; sent < megabytes; sent += 1) await new Promise((resolve) => upload.write(piece, resolve));
  upload.end(`\r\n--${boundary}--\r\n`);
  const [response]: IncomingMessage[] = await answered;
  response?.resume();
  return response?.statusCode;
}

test.skipIf(!onLinux)(
  'a large upload takes no more memory than a small one, with four waiting uploads beside it',
  async () => {
    const lab = await startLabProcess(data);
    const waiting = Array.from({ length: 4 }, () => openUpload(lab).on('error', () => {}));
    for (const upload of waiting) upload.write(`${partHead}${'x'.repeat(megabyte)}`);
    expect(await uploaded(lab, 30)).toBe(200);
    const before = await peakResidentBytes(lab.process.pid ?? 0);
    expect(await uploaded(lab, 100)).toBe(200);
    expect(await peakResidentBytes(lab.process.pid ?? 0)).toBeLessThan(before + mostAddedBytes);
    for (const upload of waiting) upload.destroy();
    await lab.stop();
  },
);

test.skipIf(!onLinux)('files scanned one after the other take the memory of one', { tags: ['long'] }, async () => {
  const lab = await startLabProcess(data);
  const body = multipart(file('packed.bin', randomBytes(16 * megabyte)));
  const scanned = async () =>
    (await lab.askRules('scanfile', {}, { method: 'POST', headers: formHeaders, body })).status;
  expect([await scanned(), await scanned()]).toEqual([200, 200]);
  const before = await peakResidentBytes(lab.process.pid ?? 0);
  for (let times = 0; times < 8; times += 1) expect(await scanned()).toBe(200);
  expect(await peakResidentBytes(lab.process.pid ?? 0)).toBeLessThan(before + 64 * megabyte);
  await lab.stop();
});

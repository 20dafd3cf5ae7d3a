import { join } from 'node:path';
import { run, runEntry, startServer } from '../child.ts';
import { writeKnownFile } from '../known-file.ts';
import { peakResidentMiB } from '../peak-resident.ts';
import { median, type Row } from '../row.ts';

/**
 * The lab giving out a large sample, which it decrypts and verifies on the way: its memory must not follow the size.
 */
export const labDownload2g: Row = {
  name: 'lab-download-2g',
  reference: 'curl -so f, from a plain static server',
  limit: 'Decryption, and one copy more than in a plain server; the transfer itself is limited by the loopback.',
  aim: null,
  must: null,
  residentMustMiB: 200,
  async measure({ folder, quick }) {
    const file = await writeKnownFile(join(folder, 'served'), (quick ? 128 : 2048) * 1024 * 1024);
    const data = join(folder, 'lab');
    await runEntry('electron/lab.ts', ['add', file.path, '--data', data]);
    const token = (
      await runEntry('electron/lab.ts', ['token', 'add', '--rights', 'read,download', '--data', data])
    ).trim();
    const plain = await startServer('e2e/bench/static-server.ts', [file.path], /^listening on (\d+)$/);
    const lab = await startServer(
      'electron/lab.ts',
      ['--port', '0', '--data', data],
      /(http:\/\/127\.0\.0\.1:\d+\/\S+\/api\.php)/,
    );
    const ratios: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      const reference = await secondsOf(folder, `http://127.0.0.1:${plain.match[1]}/file`, file.sha256);
      const ours = await secondsOf(
        folder,
        `${lab.match[1]}?action=downloadfile&token=${token}&file=${file.md5}`,
        file.sha256,
      );
      ratios.push(ours / reference);
    }
    return { ratio: median(ratios), residentMiB: await peakResidentMiB(lab.pid) };
  },
};

/** Only the transfer is timed. The token is one that lives as long as this row. */
async function secondsOf(folder: string, url: string, sha256: string): Promise<number> {
  const path = join(folder, 'received');
  const begun = performance.now();
  await run('curl', ['-sfo', path, url]);
  const seconds = (performance.now() - begun) / 1000;
  const summed = await run('sha256sum', [path]);
  if (!summed.startsWith(sha256)) throw new Error('other bytes arrived than were served');
  await run('rm', [path]);
  return seconds;
}

import type { BackupOrder } from '../backup/backup-making.ts';
import { keepCompiled, killedAtChange } from './killed-move.fixture.ts';

const making = `
const { readBackupFile } = await import(${JSON.stringify(new URL('../backup/backup-folder.ts', import.meta.url).href)});
const { makeBackup } = await import(${JSON.stringify(new URL('../backup/backup-making.ts', import.meta.url).href)});
${keepCompiled}
const [from, to] = process.argv.slice(1);
const { desk: installation } = await readBackupFile(to);
const follower = { planned() {}, read() {}, file() {}, lost() {}, whole() {} };
await makeBackup({ from, to, installation, version: '1.0.0' }, follower);
`;

/** For tests: continues a backup in a separate process, as `killedMove` does. @returns whether it was killed */
export const killedBackup = (times: number, { from, to }: Pick<BackupOrder, 'from' | 'to'>): Promise<boolean> =>
  killedAtChange(to, times, making, [from, to]);

import { readFile } from 'node:fs/promises';

/** MiB. The kernel's own record of the most a process ever held (proc(5), VmHWM); other systems keep none that we can ask for. */
export async function peakResidentMiB(pid: number): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return kib === undefined ? null : Number(kib) / 1024;
}

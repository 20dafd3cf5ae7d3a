import { readFile, writeFile } from 'node:fs/promises';

/**
 * MiB. The kernel's own record of the most a process ever held (proc(5), VmHWM); other systems keep none that we can
 * ask for.
 */
export async function peakResidentMiB(pid: number): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return kib === undefined ? null : Number(kib) / 1024;
}

/** The record begins again with what the process holds now (proc(5), clear_refs). */
export async function forgetPeak(pid: number): Promise<void> {
  if (process.platform === 'linux') await writeFile(`/proc/${pid}/clear_refs`, '5');
}

import { readFileSync } from 'node:fs';
import { resourceUsage } from 'node:process';

/** Cheap where it did not, and so to be asked behind each input. */
export function heldMoreThan(mebibytes: number): boolean {
  return inheritedPeakMiB() > mebibytes && peakMiB() > mebibytes;
}

/**
 * MiB that this process held at the most: the kernel's record of this program alone (proc(5), VmHWM). That of
 * `resourceUsage` outlives an exec (getrusage(2)) and begins with what the process held that started this one.
 */
export function peakMiB(): number {
  if (process.platform !== 'linux') return inheritedPeakMiB();
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return kib === undefined ? inheritedPeakMiB() : Number(kib) / 1024;
}

const inheritedPeakMiB = (): number => resourceUsage().maxRSS / 1024;

import { readFileSync } from 'node:fs';

/** Of Linux on every processor that it runs on here. */
const ticksASecond = 100;
/** proc(5): user and system time are so many fields behind the name, which may hold anything. */
const userField = 11;

/**
 * The processor time of a process until now, in seconds; null where the system does not report it, or the process is
 * gone.
 */
export function processorSecondsOf(pid: number): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[userField]) + Number(fields[userField + 1])) / ticksASecond;
  } catch {
    return null;
  }
}

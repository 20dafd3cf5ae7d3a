import { readdirSync, readFileSync } from 'node:fs';

/** The kernel reports processor time in hundredths of a second (proc(5), USER_HZ). */
const ticksASecond = 100;

/** Why processor times of other processes cannot be measured here; null where they can. */
export const processorTimeMissing =
  process.platform === 'linux' ? null : 'processor times of other processes are read from /proc, which Linux has.';

interface Spent {
  parent: number;
  /** In seconds, of all its threads. */
  own: number;
  /** The same of its children that have ended. */
  endedChildren: number;
}

/** Null: it has ended. Fields by their numbers in proc(5), behind the name, which can hold spaces. */
function spentBy(pid: number): Spent | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const field = (number: number): number => Number(fields[number - 3]);
    const seconds = (...numbers: number[]): number =>
      numbers.map(field).reduce((sum, ticks) => sum + ticks, 0) / ticksASecond;
    return { parent: field(4), own: seconds(14, 15), endedChildren: seconds(16, 17) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return null;
    throw error;
  }
}

/** Processor time of a process that runs, of all its threads, in seconds. */
export function processorSeconds(pid: number): number {
  const spent = spentBy(pid);
  if (spent === null) throw new Error(`the process ${pid} has ended`);
  return spent.own;
}

/** The same with all children that it has and had. Theirs are its own: they have no children. */
export function processorSecondsWithChildren(pid: number): number {
  const spent = spentBy(pid);
  if (spent === null) throw new Error(`the process ${pid} has ended`);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => spentBy(Number(name)))
    .filter((child) => child?.parent === pid);
  return children.reduce((sum, child) => sum + (child?.own ?? 0), spent.own + spent.endedChildren);
}

/** Processor time of all children of this process that have ended, in seconds. */
export const endedChildrenSeconds = (): number => spentBy(process.pid)?.endedChildren ?? 0;

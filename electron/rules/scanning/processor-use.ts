import { readFileSync, readlinkSync } from 'node:fs';
import { platform } from 'node:process';

/** A thread, by the numbers the system has for it and its process. */
export interface SystemThread {
  process: number;
  thread: number;
}

export interface ProcessorUse {
  /** So long it had a processor since it began, in milliseconds; the system counts in tens of them. */
  ranMs: number;
  /** It has one, or waits for one; else it waits for something else, such as a message or a disk. */
  wantsOne: boolean;
}

/** The calling thread. Null where the system does not report what its threads do: all but Linux (proc_pid_task(5)). */
export function ownThread(): SystemThread | null {
  if (platform !== 'linux') return null;
  try {
    const [process, thread] = readlinkSync('/proc/thread-self').split('/task/').map(Number);
    return process === undefined || thread === undefined ? null : { process, thread };
  } catch {
    // A container may have no /proc.
    return null;
  }
}

/** Null once the thread is gone. It blocks for some microseconds. */
export function processorUse({ process, thread }: SystemThread): ProcessorUse | null {
  try {
    return useIn(readFileSync(`/proc/${process}/task/${thread}/stat`, 'latin1'));
  } catch {
    return null;
  }
}

const msATick = 10;

/** As proc_pid_stat(5) has it. What comes before the last parenthesis is a name, which may hold anything. */
export function useIn(stat: string): ProcessorUse | null {
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = fields.slice(10, 12).map(Number);
  return user === undefined || system === undefined || !Number.isInteger(user + system)
    ? null
    : { ranMs: (user + system) * msATick, wantsOne: state === 'R' };
}

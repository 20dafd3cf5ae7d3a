import { constants, setPriority } from 'node:os';
import { platform } from 'node:process';

const callingThread = 0;

/**
 * Lets the host's own thread go first where there are fewer processors than threads with work: it answers the page,
 * and a thread that hashes has time. To be called from the thread itself. On Linux a priority belongs to a thread
 * (setpriority(2), "C library/kernel differences"); elsewhere it is the whole program's, which is not meant.
 */
export function standBack(): void {
  if (platform === 'linux') setPriority(callingThread, constants.priority.PRIORITY_BELOW_NORMAL);
}

import { kill, pid } from 'node:process';
import { workerData } from 'node:worker_threads';

const everyMs = 1_000;
const parent: unknown = workerData;

setInterval(() => {
  if (process.ppid !== parent) kill(pid, 'SIGKILL');
}, everyMs);

import type { Platform } from '../../platform/platform.ts';
import type { ScanLane } from '../../rules/scanning/scan-lane.ts';

/** An engine in a process of its own, whichever it is told to load. */
export function processLane(platform: Pick<Platform, 'startProcess'>): ScanLane {
  const scanner = platform.startProcess('scanner');
  return {
    post: (message) => scanner.post(message),
    onMessage: (listener) => scanner.onMessage(listener),
    onExit: (listener) => scanner.onExit((code) => listener(code === null ? 'killed' : `exit ${code}`)),
    kill: () => scanner.kill(),
  };
}

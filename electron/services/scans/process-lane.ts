import { endInWords, plainWords, tellingLine } from '../../../shared/domain/process-end.ts';
import { memoryWords } from '../../base/process-watch.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ScanLane } from '../../rules/scanning/scan-lane.ts';

/** How the process of an engine ended that nobody had ended. */
export interface EngineExit {
  end: string;
  lastWords: string;
}

export interface ScannerProcesses {
  platform: Pick<Platform, 'startProcess'>;
  /** Takes the secrets out of a text. */
  redact(text: string): string;
  logExit(exit: EngineExit): void;
}

/**
 * An engine in a process of its own, whichever it is told to load. Its end is told with the line that says most of why.
 */
export function processLane({ platform, redact, logExit }: ScannerProcesses): ScanLane {
  const scanner = platform.startProcess('scanner');
  let isKilled = false;
  let hear: (message: unknown) => void = () => undefined;
  let exitHeard: (how: string, isTooLarge?: boolean) => void = () => undefined;
  scanner.onMessage((message) => hear(message));
  const gone = Promise.withResolvers<{ how: string; isTooLarge: boolean }>();
  scanner.onExit((ended) => {
    const [end, lastWords] = [endInWords(ended), plainWords(redact(ended.lastWords))];
    if (!isKilled) logExit({ end, lastWords });
    const why = tellingLine(lastWords);
    gone.resolve({ how: why === '' ? end : `${end}: ${why}`, isTooLarge: why === memoryWords });
  });
  return {
    post: (message) => scanner.post(message),
    onMessage: (listener) => {
      hear = listener;
    },
    onExit: (listener) => {
      exitHeard = listener;
      void gone.promise.then(({ how, isTooLarge }) => (exitHeard === listener ? listener(how, isTooLarge) : undefined));
    },
    kill: () => {
      isKilled = true;
      return scanner.kill();
    },
  };
}

/** A thread or a process that scans, as its session sees it. Messages pass as JSON values, but for what a thread shares. */
export interface ScanLane {
  post(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once when it is gone, killed or not; `how` is for a sentence: `exit code 1: Error: no disk`. */
  onExit(listener: (how: string) => void): void;
  /** At once, whatever it is doing. Resolves when it is gone. */
  kill(): Promise<void>;
}

/** A lane as it sees its session: a `MessagePort` is one. */
export interface ScanPort {
  postMessage(message: object): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

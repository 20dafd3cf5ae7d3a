interface Preventable {
  preventDefault(): void;
}

/** What this needs of Electron's `app`. */
export interface QuitPort {
  on(event: 'before-quit', listener: (event: Preventable) => void): unknown;
  quit(): void;
}

export interface QuitQuestions {
  runningJobs(): number;
  /** Asks whether to quit although jobs run. */
  ask(jobs: number): Promise<boolean>;
  /** Closes what the program holds; called once. */
  close(): Promise<void>;
  /** Something could not be closed. The process ends all the same: nothing that matters is only in memory. */
  onFailure(error: unknown): void;
}

export interface QuitGuard {
  /** Whether the host is closed and windows may go. */
  hasEnded(): boolean;
  /** Quits without asking, of a person who was told what becomes of the jobs. `last` is done once the host is closed, and never if it does not come to that. */
  endThen(last: () => void): void;
}

/**
 * Quitting asks while jobs run, and closes the host before the process goes. Electron does not wait for promises, so
 * the first attempt is stopped, and quitting is begun again when everything is closed.
 */
export function guardQuit(app: QuitPort, { runningJobs, ask, close, onFailure }: QuitQuestions): QuitGuard {
  let state: 'running' | 'ending' | 'ended' = 'running';
  const end = async (last: () => void): Promise<void> => {
    await close().catch(onFailure);
    last();
    state = 'ended';
    app.quit();
  };
  const askFirst = async (): Promise<void> => {
    const jobs = runningJobs();
    if (jobs === 0 || (await ask(jobs))) return end(() => {});
    state = 'running';
  };
  app.on('before-quit', (event) => {
    if (state === 'ended') return;
    event.preventDefault();
    if (state === 'ending') return;
    state = 'ending';
    void askFirst();
  });
  return {
    hasEnded: () => state === 'ended',
    endThen: (last) => {
      if (state !== 'running') return;
      state = 'ending';
      void end(last);
    },
  };
}

/** The words of the question, for a message box. Its first button, also the one for Escape, keeps the jobs running. */
export function quitQuestion(jobs: number): { message: string; detail: string; buttons: string[]; defaultId: number; cancelId: number } {
  const what = jobs === 1 ? 'One job is still running' : `${jobs} jobs are still running`;
  return {
    message: `${what}. Quit anyway?`,
    detail: 'What has arrived is kept. What is under way is cut off and can be started again.',
    buttons: ['Keep running', 'Quit'],
    defaultId: 0,
    cancelId: 0,
  };
}

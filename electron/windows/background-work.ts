/**
 * What runs in the background and ends with the program. It names no file and no sample: it is shown in the tray,
 * too (docs/decisions/0019-the-system-shows-no-sample.md).
 */
export interface BackgroundWork {
  /** Jobs that run. */
  jobs: number;
  /** The path of the folder that is watched; null: none is. */
  watchedFolder: string | null;
  /** Whether rule updates are checked for every so many hours. */
  checksRules: boolean;
}

export const endsWithProgram = ({ jobs, watchedFolder, checksRules }: BackgroundWork): boolean =>
  jobs > 0 || watchedFolder !== null || checksRules;

/** One line each, for the tray. */
export function activityLines({ jobs, watchedFolder, checksRules }: BackgroundWork): string[] {
  const lines = [
    ...(jobs === 0 ? [] : [jobs === 1 ? '1 job running' : `${jobs} jobs running`]),
    ...(watchedFolder === null ? [] : ['Watching a folder']),
    ...(checksRules ? ['Rule update checks are on'] : []),
  ];
  return lines.length === 0 ? ['Nothing running'] : lines;
}

/** A question in a message box. `cancelId` is the button for Escape, `defaultId` the one for Enter. */
interface Question {
  message: string;
  detail: string;
  buttons: string[];
  defaultId: number;
  cancelId: number;
}

/** What stops while the program is closed, besides its jobs: sentences. */
function stopped({ watchedFolder, checksRules }: BackgroundWork): string[] {
  return [
    ...(watchedFolder === null ? [] : [`New files in “${nameOf(watchedFolder)}” are not scanned.`]),
    ...(checksRules ? ['Rule updates are not checked.'] : []),
  ];
}

/**
 * The name of a folder, without those above it: the path may hold a person's or a case's name, and the box is on a
 * screen that others see.
 */
const nameOf = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== '') ?? path;

const whatStops = 'Finished items are kept. Running jobs stop and can be resumed.';
const setForGood = 'You can turn off this question in Settings > Appearance.';
const running = (jobs: number): string => (jobs === 1 ? 'One job is still running' : `${jobs} jobs are still running`);
const whileClosed = (work: BackgroundWork): string[] =>
  stopped(work).length === 0 ? [] : [`While Vitrine is closed: ${stopped(work).join(' ')}`];

/**
 * The question before quitting while jobs run. Its first button, also the one for Escape, keeps
 * them running.
 */
export function quitQuestion(work: BackgroundWork): Question {
  return {
    message: `${running(work.jobs)}. Quit anyway?`,
    detail: [whatStops, ...whileClosed(work)].join('\n'),
    buttons: ['Keep running', 'Quit'],
    defaultId: 0,
    cancelId: 0,
  };
}

export type CloseAnswer = 'cancel' | 'stay' | 'quit';
interface CloseQuestion extends Question {
  /** What each button means. */
  answers: readonly CloseAnswer[];
}

/** The words of the question when the window is closed and something would end. */
export function closeQuestion(work: BackgroundWork, hasTray: boolean): CloseQuestion {
  return {
    message: work.jobs === 0 ? 'Quit Vitrine?' : `${running(work.jobs)}. Quit Vitrine?`,
    detail: [...(work.jobs === 0 ? [] : [whatStops]), ...whileClosed(work), setForGood].join('\n'),
    buttons: ['Cancel', hasTray ? 'Keep running in the tray' : 'Keep running, minimized', 'Quit'],
    answers: ['cancel', 'stay', 'quit'],
    defaultId: 1,
    cancelId: 0,
  };
}

/** What this needs of Electron's `powerSaveBlocker`. */
interface PowerPort {
  start(type: 'prevent-app-suspension'): number;
  stop(id: number): boolean;
}

/**
 * Keeps the machine from sleeping while a job runs; the display may go dark. The returned function may be called
 * more than once: Electron throws at an id it no longer knows.
 */
export function keepAwake(power: PowerPort): () => void {
  let id: number | null = power.start('prevent-app-suspension');
  return () => {
    if (id !== null) power.stop(id);
    id = null;
  };
}

import type { ShellCommand } from '../../shared/domain/host.ts';
import { foundWords, type Job, type JobKind } from '../../shared/domain/job.ts';
import { visibleText } from '../../shared/domain/visible-text.ts';
import type { EventPayload } from '../../shared/events.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import type { HostEvent } from '../event-hub.ts';

type NoticeKind = 'jobs' | 'rules' | 'comments' | 'watch';

/**
 * The text of a notification, and where it leads. It stays in the system's list, which others may see: it names no
 * sample.
 */
export interface Notice {
  kind: NoticeKind;
  title: string;
  /** One sentence. */
  body: string;
  leadsTo: ShellCommand;
}

/** Finds among the host's events what a person wants to know while Vitrine is not in front. */
export class NoticeReader {
  /** Jobs that were heard of while they ran: one that ended before is no news. */
  readonly #going = new Set<number>();

  read(event: HostEvent): Notice | null {
    switch (event.name) {
      case 'job.changed':
        return this.#ofJob(event.payload);
      case 'publications.news':
        return ofRules(event.payload);
      case 'comments.lost':
        return ofComment(event.payload);
      case 'watch.found':
        return ofWatch(event.payload);
      default:
        return null;
    }
  }

  #ofJob(job: Job): Notice | null {
    if (job.state === 'running' || job.state === 'waiting') {
      this.#going.add(job.id);
      return null;
    }
    const wasGoing = this.#going.delete(job.id);
    if (job.task.kind === 'scan' && job.task.isWatched && job.failure === null) return null;
    // One that was paused or cancelled was so by the person.
    if (!wasGoing || (job.state !== 'done' && (job.state !== 'paused' || job.failure === null))) return null;
    return { kind: 'jobs', ...jobWords(job), leadsTo: { kind: 'open-job', id: job.id } };
  }
}

const jobTitles: Readonly<Record<JobKind, string>> = {
  'bulk-download': 'Bulk download',
  triage: 'Look-up of many hashes',
  export: 'Export',
  upload: 'Upload',
  scan: 'Scan',
  hunt: 'Hunt',
  'vault-check': 'Vault check',
  'library-add': 'Adding files',
  'library-change': 'Changing samples',
  'case-export': 'Case export',
  bundle: 'Bundle export',
  'bundle-import': 'Bundle import',
  backup: 'Backup',
};

function jobWords({ id, task, counts, items, failure }: Job): Pick<Notice, 'title' | 'body'> {
  const title = jobTitles[task.kind];
  if (failure !== null)
    return { title: `${title} halted`, body: `Job ${id}: ${plainText(sentenceFor(failure).what)}.` };
  if (task.kind === 'hunt' && task.found !== undefined)
    return { title: `${title} finished`, body: `Job ${id}: ${foundWords(task.found)}.` };
  return {
    title: `${title} finished`,
    body: `Job ${id}: ${figure(counts.done + counts['already-here'])} of ${figure(items)} done.`,
  };
}

const figure = (count: number): string => count.toLocaleString('en');

/**
 * A failed check is shown in the page: it tries again by itself, and away from its network would say so every hour.
 */
function ofRules({ kind, version, workspaceId }: EventPayload<'publications.news'>): Notice | null {
  if (kind === 'failed') return null;
  // A service wrote it. One that does not look like a version is not repeated outside of the page.
  const name = version !== null && /^[\w.+-]{1,40}$/.test(version) ? `Version ${version}` : 'A package';
  return {
    kind: 'rules',
    ...(kind === 'found'
      ? { title: 'New rules available', body: `${name} can be installed.` }
      : { title: 'New rules installed', body: `${name} is active now.` }),
    leadsTo: { kind: 'open-updates', workspaceId },
  };
}

function ofComment({ state, workspaceId }: EventPayload<'comments.lost'>): Notice {
  return {
    kind: 'comments',
    title: state === 'failed' ? 'A comment did not arrive' : 'A comment may not have arrived',
    body: 'Its text is saved.',
    leadsTo: { kind: 'open-comments', workspaceId },
  };
}

/** One notice for a burst, and for its scans. */
function ofWatch({ files, hits, scan }: EventPayload<'watch.found'>): Notice {
  return {
    kind: 'watch',
    title: `${files === 1 ? '1 new file' : `${figure(files)} new files`} in the watched folder`,
    body: hits === 0 ? 'Nothing was sent.' : `${hits === 1 ? '1 has' : `${figure(hits)} have`} hits. Nothing was sent.`,
    leadsTo:
      hits > 0 && scan !== null
        ? { kind: 'open-job', id: scan }
        : { kind: 'open-view', view: hits > 0 ? 'activity' : 'upload' },
  };
}

/** Several of a kind as one, which leads to where all of them are. */
export function gathered(notices: readonly [Notice, ...Notice[]]): Notice {
  const [first] = notices;
  if (notices.length === 1) return first;
  const { title, body, view } = words[first.kind];
  return { kind: first.kind, title: title(figure(notices.length)), body, leadsTo: { kind: 'open-view', view } };
}

const words = {
  jobs: {
    title: (count: string) => `${count} jobs finished or halted`,
    body: 'See Activity for the results.',
    view: 'activity',
  },
  rules: {
    title: (count: string) => `${count} rule updates`,
    body: 'See Publications.',
    view: 'publications',
  },
  comments: {
    title: (count: string) => `${count} comments may not have arrived`,
    body: 'Their texts are saved.',
    view: 'comments',
  },
  watch: {
    title: (count: string) => `New files in the watched folder (${count} times)`,
    body: 'See Upload. Nothing was sent.',
    view: 'upload',
  },
} as const;

const longestSentence = 160;

/** Some desktops of Linux read a notification as markup: nothing in it may look like some. */
const plainText = (text: string): string => visibleText(text).replaceAll(/[<>&]/g, ' ').slice(0, longestSentence);

interface NotifierPorts {
  /** Whether the person wants notifications. */
  isWanted(): boolean;
  /** Whether the person sees the page, which shows it then. */
  isWatched(): boolean;
  show(notice: Notice): void;
  /** Later, unless the returned function is called before. */
  after(milliseconds: number, action: () => void): () => void;
}

const restMs = 10_000;

/**
 * Notifies of what ended while the page was not watched: at once, and then at most once in ten seconds of each kind,
 * what came meanwhile as one.
 */
export class Notifier {
  readonly #ports: NotifierPorts;
  readonly #reader = new NoticeReader();
  readonly #resting = new Map<NoticeKind, { came: Notice[]; stop: () => void }>();

  constructor(ports: NotifierPorts) {
    this.#ports = ports;
  }

  /** Every event of the host goes through here, watched or not: what is news depends on those before. */
  hear(event: HostEvent): void {
    const notice = this.#reader.read(event);
    if (notice !== null && this.#isDue()) this.#offer(notice);
  }

  close(): void {
    for (const { stop } of this.#resting.values()) stop();
    this.#resting.clear();
  }

  #isDue(): boolean {
    return !this.#ports.isWatched() && this.#ports.isWanted();
  }

  #offer(notice: Notice): void {
    const rest = this.#resting.get(notice.kind);
    if (rest === undefined) this.#show(notice);
    else rest.came.push(notice);
  }

  #show(notice: Notice): void {
    const { show, after } = this.#ports;
    this.#resting.set(notice.kind, { came: [], stop: after(restMs, () => this.#rested(notice.kind)) });
    show(notice);
  }

  /** A person who returned in between has seen it. */
  #rested(kind: NoticeKind): void {
    const [first, ...others] = this.#resting.get(kind)?.came ?? [];
    this.#resting.delete(kind);
    if (first !== undefined && this.#isDue()) this.#show(gathered([first, ...others]));
  }
}

/** What this needs of Electron's `Notification`. */
export interface NotificationPort {
  on(event: 'click', listener: () => void): unknown;
  on(
    event: 'close',
    listener: (details: { reason?: 'userCanceled' | 'applicationHidden' | 'timedOut' }) => void,
  ): unknown;
  on(event: 'failed', listener: (event: unknown, error: string) => void): unknown;
  show(): void;
  close(): void;
}

interface NativeNoticesPorts {
  create(words: { title: string; body: string }): NotificationPort;
  /** One was clicked. */
  onChosen(leadsTo: ShellCommand): void;
  onFailure(error: Error): void;
}

const most = 20;

/**
 * The system's notifications. Held here while they are shown: an unreferenced one is garbage-collected together with
 * its click handler.
 */
export class NativeNotices {
  readonly #ports: NativeNoticesPorts;
  readonly #shown = new Set<NotificationPort>();

  constructor(ports: NativeNoticesPorts) {
    this.#ports = ports;
  }

  show({ title, body, leadsTo }: Notice): void {
    const notification = this.#ports.create({ title, body });
    const letGo = (): void => void this.#shown.delete(notification);
    notification.on('click', () => {
      letGo();
      this.#ports.onChosen(leadsTo);
    });
    notification.on('close', ({ reason }) => {
      // Windows moves it from the screen to its list, where it can be clicked on as before.
      if (reason !== 'timedOut') letGo();
    });
    notification.on('failed', (_event, error) => {
      letGo();
      this.#ports.onFailure(new Error(error));
    });
    this.#shown.add(notification);
    notification.show();
    this.#makeSpace();
  }

  /** The oldest goes from the screen, too: a click on it would lead nowhere. */
  #makeSpace(): void {
    const [oldest] = this.#shown;
    if (oldest === undefined || this.#shown.size <= most) return;
    this.#shown.delete(oldest);
    oldest.close();
  }
}

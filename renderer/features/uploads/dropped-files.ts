import { mostDraftFiles } from '../../../shared/domain/upload.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';

/** A file that was dropped, or found in a folder that was. */
export interface FoundFile {
  name: string;
  /** The folders it lies in, from the one that was dropped on, with slashes; "" at the top. Untrusted text. */
  path: string;
  /** Rejects with the browser's own error when it cannot be opened. */
  open(): Promise<File>;
}

interface WalkPort {
  found(files: readonly FoundFile[]): void;
  refused(file: RefusedFile): void;
  /** Checked between pages: true when the rest is no longer needed. */
  isOver(): boolean;
}

/** Deeper than folders of people go: what is deeper is a link that leads back to where it lies. */
const deepest = 64;
/** Entries in sight before the page draws again. */
const page = 500;

/**
 * Entries of one folder that are put in the order of their names: browsers give them in none. More take too long to
 * sort at a stretch.
 */
const mostSorted = 5_000;
const names = new Intl.Collator('en', { numeric: true });

/** Finds the files of a drop, in its order, those of a folder before its folders. Ends at as many as a draft holds. */
export async function walkEntries(dropped: readonly DroppedEntry[], port: WalkPort): Promise<void> {
  const walk = new Walk(port);
  for (let at = 0; at < dropped.length && !walk.isOver; at += page) {
    for (const entry of dropped.slice(at, at + page)) await walk.take(entry);
    await nextTask();
  }
}

/** A folder that is still to be read. */
interface Folder {
  entry: FileSystemDirectoryEntry;
  path: string;
  depth: number;
}

class Walk {
  readonly #port: WalkPort;
  #files = 0;
  #folders = 0;
  #isFull = false;

  constructor(port: WalkPort) {
    this.#port = port;
  }

  get isOver(): boolean {
    return this.#isFull || this.#port.isOver();
  }

  async take(dropped: DroppedEntry): Promise<void> {
    if (dropped instanceof File) this.#find([fromPicker(dropped)], dropped.name);
    else if (isFolder(dropped)) await this.#walk({ entry: dropped, path: dropped.name, depth: 1 });
    else if (isFile(dropped)) this.#find([fromEntry(dropped, '')], dropped.name);
  }

  async #walk(top: Folder): Promise<void> {
    const waiting = [top];
    for (let folder = waiting.pop(); folder !== undefined && !this.isOver; folder = waiting.pop()) {
      const inner = await this.#read(folder);
      // The first one is read next: a folder's files come before those of the folder after it.
      waiting.push(...inner.toReversed());
    }
  }

  /** @returns the folders in it */
  async #read({ entry, path, depth }: Folder): Promise<Folder[]> {
    const inner: Folder[] = [];
    let unsorted: FileSystemEntry[] = [];
    const take = (entries: readonly FileSystemEntry[]): void => {
      const sorted = entries.length > mostSorted ? entries : entries.toSorted((a, b) => names.compare(a.name, b.name));
      unsorted = [];
      this.#find(
        sorted.filter(isFile).map((file) => fromEntry(file, path)),
        path,
      );
      for (const folder of sorted.filter(isFolder))
        this.#enter({ entry: folder, path: `${path}/${folder.name}`, depth: depth + 1 }, inner);
    };
    try {
      const reader = entry.createReader();
      for (;;) {
        // A browser gives at most a hundred at a time, and none at the end.
        const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
        unsorted.push(...entries);
        if (entries.length === 0 || unsorted.length > mostSorted) take(unsorted);
        if (entries.length === 0 || this.isOver) return inner;
      }
    } catch (error) {
      take(unsorted);
      this.#port.refused({ name: path, failure: { kind: 'file-unreadable', name: path, code: codeOf(error) } });
      return inner;
    }
  }

  #enter(folder: Folder, inner: Folder[]): void {
    if (folder.depth > deepest)
      return this.#port.refused({
        name: folder.path,
        failure: { kind: 'file-unreadable', name: folder.entry.name, code: 'ELOOP' },
      });
    this.#folders += 1;
    if (this.#folders > mostDraftFiles) return this.#fill(folder.path);
    inner.push(folder);
  }

  #find(files: readonly FoundFile[], where: string): void {
    const spaceLeft = mostDraftFiles - this.#files;
    const taken = files.length <= spaceLeft ? files : files.slice(0, spaceLeft);
    this.#files += taken.length;
    if (taken.length > 0) this.#port.found(taken);
    if (taken.length < files.length) this.#fill(where);
  }

  #fill(where: string): void {
    if (!this.#isFull) this.#port.refused({ name: where, failure: { kind: 'draft-too-large', limit: mostDraftFiles } });
    this.#isFull = true;
  }
}

function fromPicker(file: File): FoundFile {
  // Of a folder that was picked: its path with the file's own name at the end.
  const path = file.webkitRelativePath ?? '';
  return {
    name: file.name,
    path: path.slice(0, Math.max(0, path.lastIndexOf('/'))),
    open: () => Promise.resolve(file),
  };
}

function fromEntry(entry: FileSystemFileEntry, path: string): FoundFile {
  return { name: entry.name, path, open: () => new Promise((resolve, reject) => entry.file(resolve, reject)) };
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** What the browser calls the error: `NotFoundError`, `NotReadableError`. */
export const codeOf = (error: unknown): string => (error instanceof Error ? error.name : 'Error');

/** What a drop or a picker gives: a file, or an entry of the file system, which may be a folder. */
export type DroppedEntry = FileSystemEntry | File;

/** To be called while the drop event runs: afterwards the browser has forgotten what was dropped. */
export function entriesOf(transfer: DataTransfer): DroppedEntry[] {
  return [...transfer.items].flatMap((item) => {
    if (item.kind !== 'file') return [];
    const entry = item.webkitGetAsEntry();
    // The file itself where there is one: it is sure to have a path on the desktop.
    const dropped = entry?.isDirectory === true ? entry : (item.getAsFile() ?? entry);
    return dropped ?? [];
  });
}

/** What is on its way into a draft. */
export interface IntakeProgress {
  /** Files so far; it grows while folders are being read. */
  found: number;
  isWalking: boolean;
  /** Files that are in the draft, and their bytes. */
  added: number;
  bytes: number;
}

export interface RefusedFile {
  /** Of a file or folder; untrusted text. */
  name: string;
  failure: Failure;
}

/** All are counted, the newest are kept, newest first. */
export interface RefusedList {
  files: readonly RefusedFile[];
  count: number;
}

/** What ended the taking in before its end. What was added until then is in the draft. */
export interface HaltedIntake {
  failure: Failure;
  /** Files that were found and are not in the draft. */
  notTaken: number;
}

export interface IntakeState {
  progress: IntakeProgress | null;
  refused: RefusedList;
  halted: HaltedIntake | null;
}

export const noIntake: IntakeState = { progress: null, refused: { files: [], count: 0 }, halted: null };

/** Lets the page draw and answer before what follows. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

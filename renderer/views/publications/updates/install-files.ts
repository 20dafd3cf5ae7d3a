import { useMemo, useRef, useState } from 'react';
import type { OperationInput } from '../../../../shared/contract.ts';
import { isRuleFileName, partsForCalls } from '../../../../shared/domain/rule-names.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { sentenceFor } from '../../../../shared/failure-sentences.ts';
import type { Result } from '../../../../shared/failure.ts';
import type { Bridge } from '../../../../shared/transport.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { codeOf, type DroppedEntry, type FoundFile, walkEntries } from '../../../features/uploads/dropped-files.ts';
import { text } from './strings.ts';

/** A browser opens six connections to a host: events have one, and calls need one. */
const stagedAtOnce = 4;
/** The host takes as many names of files that could not be sent. */
const unreadAtMost = 2000;
const longestName = 200;

/** Files on their way to the host. */
export interface TakenFiles {
  done: number;
  /** null while folders are read. */
  total: number | null;
}

interface Found {
  /** The path is where a file lies in the package. */
  files: { path: string; file: FoundFile }[];
  leftOut: number;
  unread: Unread[];
}

type LastOfFiles = NonNullable<OperationInput<'publications.addFiles'>['last']>;
type Unread = LastOfFiles['unread'][number];
type Staged = OperationInput<'publications.addFiles'>['files'][number];

interface FilesToInstall {
  taken: TakenFiles | null;
  /** Sends them and begins to open them as one package. `version`: for files without one. */
  take(entries: readonly DroppedEntry[], version: string | null): Promise<Result<unknown>>;
  stop(): void;
}

/** Files, folders and ZIPs that a person picked or dropped, as one package. */
export function useInstallFiles(workspaceId: string): FilesToInstall {
  const bridge = useBridge();
  const [taken, setTaken] = useState<TakenFiles | null>(null);
  const stopping = useRef<AbortController | null>(null);
  const acts = useMemo(() => {
    const take = (entries: readonly DroppedEntry[], version: string | null): Promise<Result<unknown>> => {
      const stop = new AbortController();
      stopping.current?.abort();
      stopping.current = stop;
      const report = (next: TakenFiles | null): void => {
        if (stopping.current === stop) setTaken(next);
      };
      report({ done: 0, total: null });
      return new Taking(bridge, workspaceId, { signal: stop.signal, report })
        .take(entries, version)
        .finally(() => report(null));
    };
    return { take, stop: () => stopping.current?.abort() };
  }, [bridge, workspaceId]);
  return { taken, ...acts };
}

const nothing: Result<unknown> = { ok: true, value: null };

class Taking {
  readonly #bridge: Bridge<File>;
  readonly #workspaceId: string;
  readonly #signal: AbortSignal;
  readonly #report: (taken: TakenFiles) => void;

  constructor(
    bridge: Bridge<File>,
    workspaceId: string,
    { signal, report }: { signal: AbortSignal; report(taken: TakenFiles): void },
  ) {
    this.#bridge = bridge;
    this.#workspaceId = workspaceId;
    this.#signal = signal;
    this.#report = report;
  }

  async take(entries: readonly DroppedEntry[], version: string | null): Promise<Result<unknown>> {
    const found = await this.#find(entries);
    if (this.#signal.aborted) return nothing;
    if (found.files.length === 0 && found.unread.length === 0)
      return { ok: false, failure: { kind: 'no-rule-files', leftOut: found.leftOut } };
    const staged = await this.#stageAll(found);
    if (this.#signal.aborted) return nothing;
    return this.#name(staged, {
      name: nameOf(entries),
      version,
      leftOut: found.leftOut,
      links: 0,
      unread: found.unread.slice(0, unreadAtMost),
    });
  }

  /** What was picked itself is taken whatever its name is: the host looks what it holds. */
  async #find(entries: readonly DroppedEntry[]): Promise<Found> {
    const found: Found = { files: [], leftOut: 0, unread: [] };
    const isOneFolder = new Set(entries.map(folderOf)).size === 1;
    await walkEntries(entries, {
      found: (files) => {
        for (const file of files) {
          const inside = isOneFolder && file.path !== '' ? file.path.split('/').slice(1).join('/') : file.path;
          if (file.path !== '' && !isRuleFileName(file.name)) found.leftOut += 1;
          else found.files.push({ path: inside === '' ? file.name : `${inside}/${file.name}`, file });
        }
      },
      refused: ({ name, failure }) => found.unread.push({ path: name, text: sentenceFor(failure).what }),
      isOver: () => this.#signal.aborted,
    });
    return found;
  }

  /** In the order in which they end; the host sorts them. Files that cannot be sent are named in the package. */
  async #stageAll({ files, unread }: Found): Promise<Staged[]> {
    const staged: Staged[] = [];
    const waiting = files.toReversed();
    const work = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined && !this.#signal.aborted; next = waiting.pop()) {
        const one = await this.#stage(next);
        if ('stagedId' in one) staged.push(one);
        else unread.push(one);
        if (staged.length % 50 === 0) this.#report({ done: staged.length, total: files.length });
      }
    };
    await Promise.all(Array.from({ length: stagedAtOnce }, work));
    return staged;
  }

  async #stage({ path, file }: Found['files'][number]): Promise<Staged | Unread> {
    const refuse = (failure: Failure): Unread => ({ path, text: sentenceFor(failure).what });
    let opened: File;
    try {
      opened = await file.open();
    } catch (error) {
      return refuse({ kind: 'file-unreadable', name: file.name, code: codeOf(error) });
    }
    const reply = await this.#bridge.stageFile(opened);
    return reply.ok ? { stagedId: reply.value.id, path } : refuse(reply.failure);
  }

  async #name(staged: readonly Staged[], last: LastOfFiles): Promise<Result<unknown>> {
    let list: string | null = null;
    const parts = [...partsForCalls(staged)];
    for (const [index, files] of parts.entries()) {
      const answer: Result<{ list: string }> = await this.#bridge.call('publications.addFiles', {
        workspaceId: this.#workspaceId,
        list,
        files,
        last: index === parts.length - 1 ? last : null,
      });
      if (!answer.ok) return answer;
      ({ list } = answer.value);
    }
    return nothing;
  }
}

/** The folder that was picked or dropped; '' for a file that was picked itself. */
function folderOf(entry: DroppedEntry): string {
  if (!(entry instanceof File)) return entry.isDirectory ? entry.name : '';
  return (entry.webkitRelativePath ?? '').split('/').slice(0, -1)[0] ?? '';
}

function nameOf(entries: readonly DroppedEntry[]): string {
  const names = [...new Set(entries.map((entry) => folderOf(entry) || entry.name))];
  return text.filesName(names[0] ?? '', names.length - 1).slice(0, longestName);
}

import { useState } from 'react';
import { isRuleFileName } from '../../../../shared/domain/rule-names.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import type { Bridge } from '../../../../shared/transport.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { type PublishFile, usePublicationsPlace } from '../../../features/publications/publications-place.tsx';
import {
  codeOf,
  type DroppedEntry,
  type FoundFile,
  type RefusedFile,
  walkEntries,
} from '../../../features/uploads/dropped-files.ts';

/** A browser opens six connections to a host: events have one, and calls need one. */
const stagedAtOnce = 4;

export interface PublishFiles {
  files: readonly PublishFile[];
  isTaking: boolean;
  refused: readonly RefusedFile[];
  /** Files that are none for a package. */
  leftOut: number;
  take(dropped: readonly DroppedEntry[]): void;
  remove(path: string): void;
  clear(): void;
}

interface FileOfPackage {
  path: string;
  file: FoundFile;
}

const nothingReported: Pick<PublishFiles, 'refused' | 'leftOut'> = { refused: [], leftOut: 0 };

/** The files of the next publication. They are handed to the host as they are added. */
export function usePublishFiles(workspaceId: string): PublishFiles {
  const bridge = useBridge();
  const [{ files }, note] = usePublicationsPlace(workspaceId);
  const [taking, setTaking] = useState(0);
  const [reported, report] = useState(nothingReported);
  const take = async (dropped: readonly DroppedEntry[]): Promise<void> => {
    if (dropped.length === 0) return;
    setTaking((before) => before + 1);
    try {
      const { found, refused, leftOut } = await findFiles(dropped);
      const staged = await stageAll(bridge, found);
      note((before) => ({ files: merged(before.files, staged.files) }));
      report({ refused: [...refused, ...staged.refused], leftOut });
    } finally {
      setTaking((before) => before - 1);
    }
  };
  return {
    files,
    isTaking: taking > 0,
    ...reported,
    take: (dropped) => void take(dropped),
    remove: (path) => note((before) => ({ files: before.files.filter((file) => file.path !== path) })),
    clear: () => {
      note({ files: [] });
      report(nothingReported);
    },
  };
}

async function findFiles(
  dropped: readonly DroppedEntry[],
): Promise<{ found: FileOfPackage[]; refused: RefusedFile[]; leftOut: number }> {
  const found = new Map<string, FileOfPackage>();
  const refused: RefusedFile[] = [];
  let leftOut = 0;
  await walkEntries(dropped, {
    found: (files) => {
      for (const file of files) {
        const path = packagePath(file);
        if (path === null || (found.size >= mostFiles && !found.has(path))) leftOut += 1;
        else found.set(path, { path, file });
      }
    },
    refused: (file) => refused.push(file),
    isOver: () => false,
  });
  return { found: [...found.values()], refused, leftOut };
}

async function stageAll(
  bridge: Bridge<File>,
  found: readonly FileOfPackage[],
): Promise<{ files: PublishFile[]; refused: RefusedFile[] }> {
  const files: PublishFile[] = [];
  const refused: RefusedFile[] = [];
  const waiting = [...found].reverse();
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const staged = await stage(bridge, next);
      if ('failure' in staged) refused.push(staged);
      else files.push(staged);
    }
  };
  await Promise.all(Array.from({ length: stagedAtOnce }, work));
  return { files, refused };
}

async function stage(bridge: Bridge<File>, { path, file }: FileOfPackage): Promise<PublishFile | RefusedFile> {
  const refuse = (failure: Failure): RefusedFile => ({ name: path, failure });
  let opened: File;
  try {
    opened = await file.open();
  } catch (error) {
    return refuse({ kind: 'file-unreadable', name: file.name, code: codeOf(error) });
  }
  const reply = await bridge.stageFile(opened);
  return reply.ok ? { id: reply.value.id, path, sizeBytes: reply.value.sizeBytes } : refuse(reply.failure);
}

const byPath = new Intl.Collator('en', { numeric: true });

/** A file takes the place of the one with its path. */
function merged(before: readonly PublishFile[], added: readonly PublishFile[]): PublishFile[] {
  const all = new Map([...before, ...added].map((file) => [file.path, file]));
  return [...all.values()].slice(0, mostFiles).toSorted((a, b) => byPath.compare(a.path, b.path));
}

const mostFiles = 1000;
const longestPath = 300;

/** Where a file lies in the package: in its folders below the one that was added. null: it is none for a package. */
export function packagePath({ name, path }: Pick<FoundFile, 'name' | 'path'>): string | null {
  const folders = path.split('/').slice(1);
  const inside = [...folders, name].join('/');
  return isRuleFileName(name) && inside.length <= longestPath ? inside : null;
}

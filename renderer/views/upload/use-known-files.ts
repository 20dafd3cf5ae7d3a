import { useEffect, useState } from 'react';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import type { Draft } from './draft-desk.tsx';

export type KnownFiles =
  { kind: 'reading' } | { kind: 'failed'; failure: Failure } | { kind: 'read'; files: readonly UploadFile[] };

const atOnce = 1000;

/** The files of a draft that the repository has already, ticked or not; all that was done before is in them. */
export function useKnownFiles({ workspace: { id: workspaceId }, writes }: Draft): KnownFiles {
  const bridge = useBridge();
  const [known, setKnown] = useState<KnownFiles>({ kind: 'reading' });
  useEffect(() => {
    let isOver = false;
    const read = async (): Promise<KnownFiles> => {
      const files: UploadFile[] = [];
      for (let offset = 0, total = 1; offset < total && !isOver; offset += atOnce) {
        const since = writes.answered;
        const answer = await bridge.call('uploads.files', { workspaceId, offset, limit: atOnce });
        if (!answer.ok) return { kind: 'failed', failure: answer.failure };
        total = answer.value.total;
        files.push(
          ...answer.value.files
            .filter(({ presence, md5 }) => presence === 'there' && md5 !== null)
            .map((file) => writes.shown(file, since)),
        );
      }
      return { kind: 'read', files };
    };
    void read().then((now) => isOver || setKnown(now));
    return () => {
      isOver = true;
    };
  }, [bridge, workspaceId, writes]);
  return known;
}

import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { DamagedContainerError } from '../container/container.ts';
import { ChangedFileError, isMissingCode } from '../staging/staged-source.ts';
import type { UnreadFile } from './file-facts.ts';

/** Why a staged file could not be read; what is not about the file is a defect and thrown again. */
export function unreadFile(id: string, error: unknown): UnreadFile {
  if (error instanceof ChangedFileError) return { id, reason: 'changed', code: '' };
  if (error instanceof DamagedContainerError) return { id, reason: 'gone', code: 'damaged' };
  const code = systemErrorCode(error);
  if (code === null) throw error;
  return { id, reason: isMissingCode(code) ? 'gone' : 'unreadable', code };
}

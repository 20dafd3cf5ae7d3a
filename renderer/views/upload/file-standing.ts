import { assertNever } from '../../../shared/assert-never.ts';
import { remarkText } from '../../../shared/domain/opened-archive.ts';
import { isPlainArchive, type UploadFile } from '../../../shared/domain/upload.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { text } from './strings.ts';

export type StandingKind = 'waiting' | 'new' | 'there' | 'unanswered' | 'held' | 'out' | 'locked' | 'warn';

/** The state of a file with regard to sending. */
export interface Standing {
  kind: StandingKind;
  word: string;
  /** What it means, or why; null if the word is enough. */
  then: string | null;
}

/** A file that is, or will be, one the repository can get. */
export const canBeSent = ({ state, presence }: Pick<UploadFile, 'state' | 'presence'>): boolean =>
  (state === 'ready' || state === 'hashing') && presence !== 'there';
/** Sent as one piece, though a server may take it to pieces. */
export const isRiskyArchive = (file: UploadFile): boolean => isPlainArchive(file) && file.isTicked && canBeSent(file);

/** What is unusual about it, in a few words; null for most files. */
export function oddityOf({ archive, remarks }: Pick<UploadFile, 'archive' | 'remarks'>): string | null {
  const isCutShort = archive?.state === 'open' && archive.failure !== null;
  const words = [...(isCutShort ? [text.inPart] : []), ...remarks.map(remarkText)];
  return words.length === 0 ? null : words.join(', ');
}

/** `sameAs`: the name of the file it is the same as, when that is known. */
export function standingOf(file: UploadFile, sameAs: string | null): Standing {
  switch (file.state) {
    case 'hashing':
      return { kind: 'waiting', word: text.standing.reading, then: null };
    case 'empty':
      return { kind: 'out', word: text.standing.empty, then: text.standingThen.empty };
    case 'same':
      return { kind: 'there', word: text.standing.same(sameAs), then: text.standingThen.same };
    case 'unreadable':
      return { kind: 'out', word: unreadableWord(file), then: file.failure && sentence(file.failure) };
    case 'ready':
      return archiveStanding(file) ?? presenceStanding(file);
    default:
      return assertNever(file.state);
  }
}

function archiveStanding({ archive }: UploadFile): Standing | null {
  if (archive === null) return null;
  switch (archive.state) {
    case 'opening':
      return { kind: 'waiting', word: text.standing.opening, then: null };
    case 'locked':
      return { kind: 'locked', word: text.standing.locked, then: text.standingThen.locked };
    case 'refused':
      return { kind: 'warn', word: text.standing.notOpened, then: archive.failure && sentence(archive.failure) };
    case 'open':
      return null;
    default:
      return assertNever(archive.state);
  }
}

function presenceStanding({ presence, presenceFailure, archive }: UploadFile): Standing {
  const cutShort = archive?.failure ? sentence(archive.failure) : null;
  switch (presence) {
    case 'unasked':
      return { kind: 'waiting', word: text.standing.asking, then: cutShort };
    case 'new':
      return { kind: 'new', word: text.standing.new, then: cutShort };
    case 'there':
      return { kind: 'there', word: text.standing.there, then: text.standingThen.there };
    case 'unanswered':
      return {
        kind: 'unanswered',
        word: presenceFailure?.kind === 'action-unknown' ? text.standing.held : text.standing.unanswered,
        then: presenceFailure && sentence(presenceFailure),
      };
    case 'held':
      return { kind: 'held', word: text.standing.held, then: text.standingThen.held };
    default:
      return assertNever(presence);
  }
}

function unreadableWord({ failure, parentId }: UploadFile): string {
  switch (failure?.kind) {
    case 'file-gone':
    case 'staged-file-missing':
      return text.standing.gone;
    case 'file-changed':
      return text.standing.changed;
    case 'two-samples-one-md5':
      return text.standing.twoSamples;
    default:
      return parentId === null ? text.standing.unreadable : text.standing.member;
  }
}

function sentence(failure: Failure): string {
  const { what, then } = sentenceFor(failure);
  return `${what}. ${then}`;
}

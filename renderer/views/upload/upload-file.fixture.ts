import type { UploadDraft, UploadFile } from '../../../shared/domain/upload.ts';

/** A file that would be sent. */
export const uploadFile: UploadFile = {
  id: 1,
  parentId: null,
  name: 'courier_a.js',
  path: '',
  sizeBytes: 44_905,
  md5: '25f4f5501a058ba518efc1a525f2e8cf',
  sha1: null,
  sha256: null,
  mime: 'text/javascript',
  strip: null,
  state: 'ready',
  sameAs: null,
  failure: null,
  archive: null,
  remarks: [],
  isTicked: true,
  tags: ['family:quillpost', 'script:js'],
  tlp: 'green',
  virusTotal: false,
  sandbox: false,
  presence: 'new',
  presenceFailure: null,
};

const some = { files: 0, bytes: 0 };

/** The numbers of a draft of such files, as the host counts them. */
export function draftOf(files: readonly UploadFile[], change: Partial<UploadDraft> = {}): UploadDraft {
  const amount = (meant: readonly UploadFile[]): typeof some => ({
    files: meant.length,
    bytes: meant.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  });
  const sent = files.filter(({ isTicked, state, presence }) => isTicked && state === 'ready' && presence !== 'there');
  const there = files.filter(({ presence }) => presence === 'there');
  const flagged = (meant: readonly UploadFile[]) => ({
    files: meant.length,
    names: meant.map(({ name }) => name).slice(0, 20),
  });
  return {
    ...amount(files),
    comment: '',
    saved: '2026-11-18T14:31:00.000Z',
    toSend: amount(sent),
    there: amount(there),
    leftOut: amount(files.filter((file) => !sent.includes(file) && !there.includes(file))),
    busy: 0,
    ticked: files.filter(({ isTicked }) => isTicked).length,
    tickedSamples: files.filter(({ isTicked, state }) => isTicked && (state === 'ready' || state === 'hashing')).length,
    unasked: 0,
    unanswered: files.filter(({ presence }) => presence === 'unanswered').length,
    held: files.filter(({ isTicked, presence }) => presence === 'held' && !isTicked).length,
    newest: Math.max(0, ...files.map(({ id }) => id)),
    requests: Math.ceil(sent.length / 10),
    virusTotal: flagged(sent.filter(({ virusTotal }) => virusTotal)),
    sandbox: flagged(sent.filter(({ sandbox }) => sandbox)),
    closed: sent.filter(({ tlp }) => tlp !== null && tlp !== 'clear' && tlp !== 'green').length,
    ...change,
  };
}

import { createHash } from 'node:crypto';
import { currentInstant, minuteOf } from '../../../shared/domain/clock.ts';
import type { BrokenRule, LastCheck, PackageContents } from '../../../shared/domain/publication.ts';
import { cutText, visibleLine } from '../../../shared/domain/visible-text.ts';
import { many } from '../../../shared/failure-sentence.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import type { EditorFile } from '../../api/replies/server-lists.ts';
import type { RuleEditorApi } from '../../api/rule-editor-api.ts';
import { nameTraitOf } from '../../archive/archive-names.ts';
import { writePlainZip } from '../../archive/writing/plain-zip.ts';
import type { ZipMember } from '../../archive/writing/write-zip-records.ts';
import { inOrder } from '../../base/in-order.ts';
import { ownFailure } from '../../jobs/job-work.ts';
import { packageLimits } from '../../rules/package-files.ts';
import type { FoundPackage, PackageRow } from '../../storage/packages/package-store.ts';
import { packageBytesAtMost, wholeOf, withoutStray } from './opened-package.ts';
import { forgetUnknown, type OpeningWatch, openReceived, type PackageOpeningOptions } from './package-opening.ts';

/** What came of an export, as of a check, and not yet written down. */
interface ExportResult {
  check: LastCheck;
  found: FoundPackage | null;
}

/**
 * Makes one package of all files of rules that a rule editor without publications keeps (docs/services.md,
 * "exportfile"). `active`: what it would take the place of.
 *
 * @throws FailureError `no-rules-to-export`, `rule-file-failed`, and why the editor or the disk does not do its part
 */
export async function exportPackage(
  options: PackageOpeningOptions,
  { workspaceId, api, active }: { workspaceId: string; api: RuleEditorApi; active: PackageRow | null },
  watch: OpeningWatch & { isByItself: boolean },
): Promise<ExportResult> {
  const { store, packages } = options;
  const listed = await api.ruleFiles({ signal: watch.signal });
  const halt = new AbortController();
  const signal = AbortSignal.any([watch.signal, halt.signal]);
  const editor = new EditorExport(options, api, listed, { ...watch, signal });
  const known = (sha256: string | null): PackageRow | null => (sha256 === null ? null : store.get(workspaceId, sha256));
  const isSame = (row: PackageRow | null): boolean => row?.source === 'export' && row.remoteId === editor.identity;
  const check = (outcome: LastCheck['outcome'], version: string): LastCheck => ({
    at: currentInstant(),
    outcome,
    version,
    failure: null,
    reply: null,
    missing: [],
    of: 'export',
  });
  try {
    const received = await packages.receive(workspaceId, editor.zip(), { atMostBytes: packageBytesAtMost });
    const candidate = known(store.pointers(workspaceId).candidate);
    const same = isSame(active)
      ? active
      : watch.isByItself && isSame(candidate) && candidate?.contents
        ? candidate
        : null;
    if (same !== null) {
      await forgetUnknown(options, workspaceId, received.sha256);
      return { check: check(same === active ? 'up-to-date' : 'found', same.version), found: null };
    }
    const version = freeVersion(store.list(workspaceId), received.sha256, editor.version);
    const origin = {
      source: 'export' as const,
      remoteId: editor.identity,
      version,
      fileName: null,
      manifest: null,
      beside: { unread: editor.unread },
      ...(editor.empty && { empty: editor.empty }),
    };
    return { check: check('found', version), found: await openReceived(options, workspaceId, received, origin, watch) };
  } finally {
    // Files that are still on their way are not needed when one of them failed.
    halt.abort(new FailureError({ kind: 'cancelled' }));
  }
}

const filesAtOnce = 4;
/** Files without rules that are named; the others are counted. */
const emptyNamed = 20;

/** A file of the editor, and where it lies in the package. */
interface PlacedFile extends EditorFile {
  path: string;
}

/** The files of a rule editor as one ZIP: the same rules give the same bytes, whatever order they come in. */
class EditorExport {
  readonly #options: Pick<PackageOpeningOptions, 'library'>;
  readonly #api: RuleEditorApi;
  readonly #files: readonly PlacedFile[];
  readonly #empty: EditorFile[];
  readonly #watch: OpeningWatch;
  readonly #identity = createHash('sha256');
  /** What the editor lists and did not export. */
  readonly unread: BrokenRule[] = [];
  readonly version: string;
  #bytesLeft = packageLimits.bytes;
  #done = 0;

  constructor(
    options: Pick<PackageOpeningOptions, 'library'>,
    api: RuleEditorApi,
    listed: readonly EditorFile[],
    watch: OpeningWatch,
  ) {
    const sorted = listed.toSorted((one, other) => compared(one.name, other.name) || compared(one.id, other.id));
    this.#options = options;
    this.#api = api;
    this.#files = placed(sorted.filter(({ rules }) => rules !== 0));
    this.#empty = sorted.filter(({ rules }) => rules === 0);
    this.#watch = watch;
    if (this.#files.length > packageLimits.files)
      fail({ kind: 'archive-limit', name: 'files of the package', limit: 'members', value: packageLimits.files });
    const newest = listed
      .flatMap(({ modified }) => modified ?? [])
      .toSorted(compared)
      .at(-1);
    this.version = newest ?? minuteOf(currentInstant());
  }

  /** To be read once. */
  zip(): AsyncGenerator<Uint8Array, void, void> {
    return writePlainZip(this.#members());
  }

  /** Of the names and the content of all files; how a ZIP packs them does not count. */
  get identity(): string {
    return this.#identity.copy().digest('hex');
  }

  /** undefined: each file has rules. */
  get empty(): PackageContents['empty'] {
    if (this.#empty.length === 0) return undefined;
    const names = this.#empty.slice(0, emptyNamed).map(({ name }) => cutText(visibleLine(name), longestName));
    return { files: this.#empty.length, names };
  }

  async *#members(): AsyncGenerator<ZipMember, void, void> {
    let isNothing = true;
    const exported = inOrder(this.#files, filesAtOnce, async (file) => ({ file, bytes: await this.#exported(file) }));
    for await (const { file, bytes } of exported) {
      this.#done += 1;
      this.#watch.onProgress({ phase: 'gathering', done: this.#done, total: this.#files.length });
      if (bytes === null) continue;
      isNothing = false;
      this.#identity.update(JSON.stringify([file.path, bytes.length])).update(bytes);
      yield { name: file.path, sizeBytes: bytes.length, open: () => [bytes] };
    }
    if (isNothing) fail({ kind: 'no-rules-to-export', service: 'rule-editor', address: this.#api.address });
  }

  /** null: it has no rules. @throws FailureError `rule-file-failed`, and what every other file would meet too */
  async #exported(file: PlacedFile): Promise<Uint8Array | null> {
    const { signal } = this.#watch;
    try {
      const reply = await this.#api.exportFile(file.id, { signal });
      const bytes = withoutStray(await wholeOf(this.#counted(reply.chunks), packageLimits.bytes));
      const [arranged] = await this.#options.library.arrange([{ path: file.path, bytes }], signal);
      if (arranged === undefined) throw new Error('the library arranged no file');
      this.#compareCount(file, arranged.rules);
      return arranged.bytes;
    } catch (error) {
      return this.#failed(file, error);
    }
  }

  /** What all files together take; several are on their way at a time. */
  async *#counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
    for await (const chunk of chunks) {
      this.#bytesLeft -= chunk.length;
      if (this.#bytesLeft < 0) fail({ kind: 'package-too-large', limitBytes: packageLimits.bytes });
      yield chunk;
    }
  }

  #compareCount({ path, rules }: PlacedFile, exported: number): void {
    if (rules === null || exported >= rules) return;
    const text = `The rule editor lists ${many(rules)} rules in this file and exported ${many(exported)}`;
    this.unread.push({ rule: null, file: path, line: 0, kind: 'file', text });
  }

  #failed(file: PlacedFile, error: unknown): null {
    const failure = ownFailure(error);
    if (failure.kind === 'empty-reply' && file.rules === null) {
      this.#empty.push(file);
      return null;
    }
    // They are not about this file.
    if (failure.kind === 'action-unknown' || failure.kind === 'package-too-large') throw error;
    const { what } = sentenceFor(failure);
    const name = cutText(visibleLine(file.name), longestName);
    return fail(
      { kind: 'rule-file-failed', service: 'rule-editor', address: this.#api.address, name, text: what },
      error,
    );
  }
}

const longestName = 100;

/**
 * Each file under its name, which is text of others and never a path on a disk. Those that would have one path, on a
 * computer that folds cases too, have their ids behind it.
 */
function placed(files: readonly EditorFile[]): PlacedFile[] {
  const counts = Map.groupBy(files, (file) => memberName(file.name).toLowerCase());
  const taken = new Set<string>();
  return files.map((file) => {
    const name = memberName(file.name);
    const isShared = (counts.get(name.toLowerCase())?.length ?? 0) > 1;
    const own = isShared ? `${name}-${memberName(file.id)}` : name;
    let path = `${own}.yar`;
    for (let number = 2; taken.has(path.toLowerCase()); number += 1) path = `${own}-${number}.yar`;
    taken.add(path.toLowerCase());
    return { ...file, path };
  });
}

/** What no system and no archive has a meaning for; an extension that it brings is not repeated. */
function memberName(name: string): string {
  const plain = visibleLine(name.toWellFormed().normalize('NFC'))
    .replaceAll(/[/\\:*?"<>|]/g, '_')
    .replace(/\.yara?$/i, '')
    .replaceAll(/^[. ]+|[. ]+$/g, '');
  const cut = cutText(plain, longestName);
  return cut === '' || nameTraitOf(cut) !== null ? `_${cut}` : cut;
}

/** A version is a time: another package of the same second has a number behind it. */
function freeVersion(kept: readonly PackageRow[], sha256: string, wanted: string): string {
  const same = kept.find((row) => row.sha256 === sha256);
  if (same !== undefined) return same.version;
  const taken = new Set(kept.map(({ version }) => version));
  let version = wanted;
  for (let number = 2; taken.has(version); number += 1) version = `${wanted} (${number})`;
  return version;
}

/** By code units, the same on every computer. */
const compared = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

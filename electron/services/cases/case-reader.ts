import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CaseOptions } from '../../../shared/domain/case.ts';
import type { ThreadComment } from '../../../shared/domain/comment.ts';
import type { LibrarySample, SampleLook } from '../../../shared/domain/library.ts';
import type { SampleFacts } from '../../../shared/domain/sample.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { CommentStore } from '../../storage/comment-store.ts';
import type { LibraryReader } from '../../storage/library-reader.ts';
import type { LibraryStore } from '../../storage/library-store.ts';
import type { CaseComment, CaseSample } from './case-sample.ts';
import { factsOf, keyOf } from './case-selection.ts';
import { isSaid } from './case-words.ts';

export interface CaseReaderOptions {
  reader: Pick<LibraryReader, 'facts'>;
  library: Pick<LibraryStore, 'sample'>;
  comments: Pick<CommentStore, 'thread'>;
  /** Of those that may have listed comments, the built-in one among them. */
  workspaceIds(): readonly string[];
  /** How bytes look. Fails with `cancelled` when the page wanted others. */
  looks(sha256s: readonly string[]): Promise<SampleLook[]>;
}

/** What is read of each sample besides its facts. */
export interface CaseWants {
  include: CaseOptions['include'];
  mime: boolean;
  strips: boolean;
}

/** Read before the thread is free again: some milliseconds' worth, unless they have very many comments. */
const samplesATurn = 20;

/** Reads what a case tells of samples. */
export class CaseReader {
  readonly #options: CaseReaderOptions;
  readonly #wants: CaseWants;

  constructor(options: CaseReaderOptions, wants: CaseWants) {
    this.#options = options;
    this.#wants = wants;
  }

  /** Those of them that the library still knows. */
  async page(keys: readonly string[]): Promise<CaseSample[]> {
    const facts = await factsOf(keys, this.#options.reader);
    const strips = await this.#stripsOf(facts);
    const samples: CaseSample[] = [];
    for (const one of facts) {
      samples.push({ ...this.#told(one), strip: (one.sha256 === null ? null : strips.get(one.sha256)) ?? null });
      if (samples.length % samplesATurn === 0) await nextTurn();
    }
    return samples;
  }

  /** The same facts, once it is known how the samples look: that may say what type they are of. */
  async looked(keys: readonly string[]): Promise<SampleFacts[]> {
    await this.#stripsOf(await factsOf(keys, this.#options.reader));
    return factsOf(keys, this.#options.reader);
  }

  #told(facts: SampleFacts): Omit<CaseSample, 'strip'> {
    const { include, mime } = this.#wants;
    const hash = keyOf(facts);
    const known = mime || include.notes ? this.#options.library.sample(hash) : null;
    return {
      ...facts,
      hash,
      hits: include.hits ? facts.hits : [],
      mime: mime ? mimeOf(known) : null,
      note: include.notes ? (known?.note ?? null) : null,
      comments: include.comments && facts.md5 !== null ? this.#commentsOf(facts.md5) : [],
    };
  }

  #commentsOf(md5: string): CaseComment[] {
    const { comments, workspaceIds } = this.#options;
    return workspaceIds().flatMap((workspaceId) =>
      comments
        .thread(workspaceId, md5)
        .comments.filter(hasArrived)
        .map(({ id, author, created, content }) => ({
          id: `${workspaceId}/${id}`,
          author,
          created,
          text: content,
        })),
    );
  }

  async #stripsOf(facts: readonly SampleFacts[]): Promise<ReadonlyMap<string, string | null>> {
    if (!this.#wants.strips) return new Map();
    const sha256s = facts.flatMap(({ sha256, inVault }) => (inVault && sha256 !== null ? [sha256] : []));
    try {
      return new Map((await this.#options.looks(sha256s)).map(({ sha256, strip }) => [sha256, strip]));
    } catch (error) {
      // The person looks at other samples meanwhile, and comes first: these go without a picture
      if (error instanceof FailureError && error.failure.kind === 'cancelled') return new Map();
      throw error;
    }
  }
}

/** What this desk wrote and no service has is nobody else's yet. */
const hasArrived = ({ own }: ThreadComment): boolean => own === null || own.isListed || own.state === 'sent';

const mimeForm = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

function mimeOf(known: LibrarySample | null): string | null {
  for (const { record } of known?.records ?? [])
    if (isSaid(record.mime) && mimeForm.test(record.mime)) return record.mime.toLowerCase();
  return null;
}

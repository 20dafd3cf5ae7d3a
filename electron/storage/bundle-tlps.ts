import type { BundledRecord, BundledSample } from '../../shared/domain/bundle.ts';
import type { SampleRecord } from '../../shared/domain/sample.ts';
import { strictestTlp, type TlpLevel } from '../../shared/domain/tag.ts';
import { isStricter } from './bundle-standing.ts';
import type { Database } from './database.ts';
import { LibraryOwn } from './library-own.ts';
import type { LibraryRecords } from './library-records.ts';
import type { SampleRow } from './library-rows.ts';
import type { LibrarySamples } from './library-samples.ts';
import { LibraryTlps } from './library-tlps.ts';

type Named = Pick<BundledSample, 'md5' | 'sha256'>;

/** A row as it was before anything of a sample was taken in. */
interface RowBefore {
  row: SampleRow;
  level: TlpLevel | null;
}

export interface BundleTlpsPorts {
  samples: LibrarySamples;
  records: LibraryRecords;
  /** What a workspace has of an MD5. */
  recordOf(workspaceId: string, md5: string): BundledRecord | null;
}

/**
 * Of how far a sample may go, the strictest that was said holds, here and in the bundle: whatever becomes of its hashes
 * and its records when it is taken in.
 */
export class BundleTlps {
  readonly #ports: BundleTlpsPorts;
  readonly #tlps: LibraryTlps;
  readonly #own: LibraryOwn;

  constructor(db: Database, ports: BundleTlpsPorts) {
    this.#ports = ports;
    this.#tlps = new LibraryTlps(db);
    this.#own = new LibraryOwn(db);
  }

  /** Before anything of it is taken in. */
  before(sample: Named): RowBefore[] {
    const named = this.#named(sample);
    return this.#around(sample, [sample.md5, named?.md5 ?? sample.md5]).map((row) => ({
      row,
      level: this.#tlps.strictest(row),
    }));
  }

  /** When all else of it was taken in. `told`: what the bundle says. @returns the MD5s of which something changed */
  hold(
    sample: Named,
    told: TlpLevel | null,
    { before, workspaceId }: { before: readonly RowBefore[]; workspaceId: string },
  ): string[] {
    const was = strictestTlp(
      before.flatMap(({ row, level }) => (isSame(row, sample) || isAlone(row, sample) ? [level] : [])),
    );
    return this.#around(sample, [sample.md5, ...before.map(({ row }) => row.md5)]).flatMap((row) => {
      const own = before.find((one) => one.row.id === row.id)?.level ?? null;
      const least = strictestTlp([own, isSame(row, sample) ? was : null, mayBe(row, sample) ? told : null]);
      if (least === null || !isStricter(least, this.#tlps.strictest(row))) return [];
      if (row.sha256 === null) this.#tag(row.md5, least, workspaceId);
      else this.#own.setTlp(row.sha256, least);
      return [row.md5];
    });
  }

  /** It, and all that have one of these MD5s. */
  #around(sample: Named, md5s: readonly string[]): SampleRow[] {
    const rows = [...new Set(md5s)].flatMap((md5) => this.#ports.samples.withMd5(md5));
    const named = this.#named(sample);
    return named === null || rows.some(({ id }) => id === named.id) ? rows : [...rows, named];
  }

  #named({ sha256 }: Named): SampleRow | null {
    return sha256 === null ? null : this.#ports.samples.withSha256(sha256);
  }

  /** What a person says is of a SHA-256: without one, nothing but a record says it. */
  #tag(md5: string, level: TlpLevel, workspaceId: string): void {
    const { readAt, record } = this.#ports.recordOf(workspaceId, md5) ?? {
      readAt: beforeAny,
      record: { ...nothingSaid, md5 },
    };
    this.#ports.records.put(workspaceId, md5, { ...record, tags: [...record.tags, `tlp:${level}`] }, readAt);
  }
}

const isAlone = (row: SampleRow, { md5 }: Named): boolean => row.md5 === md5 && row.sha256 === null;
const isSame = (row: SampleRow, sample: Named): boolean =>
  sample.sha256 === null ? isAlone(row, sample) : row.sha256 === sample.sha256;
/** Without a SHA-256 here or there, one MD5 may be either. */
const mayBe = (row: SampleRow, sample: Named): boolean =>
  isSame(row, sample) || isAlone(row, sample) || (sample.sha256 === null && row.md5 === sample.md5);

/** Nobody read it anywhere: whatever a service says is newer. */
const beforeAny = '1970-01-01T00:00:00.000Z';
const nothingSaid: SampleRecord = {
  md5: null,
  sha1: null,
  sha256: null,
  name: null,
  sizeBytes: null,
  date: null,
  uploader: null,
  threat: null,
  criticity: null,
  mime: null,
  favorite: null,
  locked: null,
  tags: [],
  urls: [],
  comments: [],
  listsComments: false,
  virusTotal: { state: null, score: null, link: null },
  sandbox: { state: null, link: null },
  ssdeep: null,
  imphash: null,
  pdbPath: null,
  signer: null,
  unknown: {},
};

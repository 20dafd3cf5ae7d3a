import type { ExtractedHash } from '../../../shared/domain/hash-extraction.ts';
import { toldSample } from '../../../shared/domain/sample-table.ts';
import { success } from '../../../shared/failure.ts';
import { useBulkStore } from '../../features/bulk-download/bulk-store.tsx';
import { CopySamplesMenu } from '../../features/copy-samples/copy-samples.tsx';

/** Of a sample no more is known here than the one hash that was read. */
const formats = ['hashes', 'sha256', 'sha1', 'md5', 'yara'] as const;
const atOnce = 5000;

/** Copies the hashes that were read out of the text. */
export function CopyFound({ count }: { count: number }) {
  const { found } = useBulkStore();
  const read = async () => success((await readFound(found)).map(({ kind, value }) => toldSample({ [kind]: value })));
  return <CopySamplesMenu samples={{ count, read }} formats={formats} triggerLetter="C" />;
}

async function readFound(found: (from: number, count: number) => Promise<ExtractedHash[]>): Promise<ExtractedHash[]> {
  const all: ExtractedHash[] = [];
  for (;;) {
    const page = await found(all.length, atOnce);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

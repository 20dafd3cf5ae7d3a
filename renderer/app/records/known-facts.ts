import type { CaseSelection } from '../../../shared/domain/case.ts';
import type { SampleFacts } from '../../../shared/domain/sample.ts';
import { type Result, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';

const atOnce = 1000;
/** As many are named in one selection. */
const mostNamed = 5000;

/** What the library knows of samples, of those that it knows. */
export async function factsNamed(bridge: Bridge<File>, hashes: readonly string[]): Promise<Result<SampleFacts[]>> {
  const samples: SampleFacts[] = [];
  for (let after: number | null = hashes.length === 0 ? null : 0; after !== null;) {
    const answer: Awaited<ReturnType<typeof readPage>> = await readPage(bridge, hashes, after);
    if (!answer.ok) return answer;
    samples.push(...answer.value.samples);
    after = answer.value.next;
  }
  return success(samples);
}

const readPage = (bridge: Bridge<File>, hashes: readonly string[], after: number) =>
  bridge.call('library.facts', { selection: { kind: 'named', hashes: [...hashes] }, after, limit: atOnce });

/** The same of the items of a job; null where they are more than can be asked for. */
export async function factsOfItems(
  bridge: Bridge<File>,
  { id, filter }: Extract<CaseSelection, { kind: 'job' }>,
): Promise<Result<SampleFacts[] | null>> {
  const hashes = new Set<string>();
  for (let offset = 0, total = 1; offset < total; offset += atOnce) {
    const answer = await bridge.call('jobs.items', {
      id,
      filter,
      sort: { column: 'position', descending: false },
      offset,
      limit: atOnce,
    });
    if (!answer.ok) return answer;
    total = answer.value.total;
    if (total > mostNamed) return success(null);
    for (const { sha256, md5, hash } of answer.value.items) hashes.add(sha256 ?? md5 ?? hash);
  }
  return factsNamed(bridge, [...hashes]);
}

import type { Bridge } from '../../../shared/bridge.ts';
import type { CaseSelection } from '../../../shared/domain/case.ts';
import { mostQueryTerms } from '../../../shared/domain/query-term.ts';
import type { SampleFacts } from '../../../shared/domain/sample-facts.ts';
import { isTlpUnknown, strictestTlp, type TlpLevel } from '../../../shared/domain/tlp.ts';
import { type Result, success } from '../../../shared/failure.ts';

const atOnce = 1000;
/** As many are named in one selection. */
const mostNamed = 5000;

/**
 * The strictest TLP of samples that is known, null where none of them is known to have any, and of how many it is not known. Of more samples than can
 * be asked for neither is known: the host sees to it then.
 */
export type Strictest = { isKnown: true; level: TlpLevel | null; unknown: number } | { isKnown: false };

const notKnown: Strictest = { isKnown: false };

export async function strictestOf(bridge: Bridge<File>, selection: CaseSelection): Promise<Result<Strictest>> {
  if (selection.kind === 'query') return ofQuery(bridge, selection);
  if (selection.kind === 'named') return ofNamed(bridge, selection.hashes);
  return ofJob(bridge, selection);
}

/** The list by TLP begins with the strictest; those that are left out may come before it. */
async function ofQuery(bridge: Bridge<File>, { terms, except }: Extract<CaseSelection, { kind: 'query' }>): Promise<Result<Strictest>> {
  if (terms.length >= mostQueryTerms) return success(notKnown);
  const limit = Math.min(atOnce, except.length + 1);
  const listed = await bridge.call('library.list', { terms, sort: { by: 'tlp', descending: true }, moment: crypto.randomUUID(), offset: 0, limit });
  if (!listed.ok) return listed;
  const { rows, total } = listed.value;
  const leftOut = new Set(except);
  const first = rows.find(({ hash }) => !leftOut.has(hash));
  if (first === undefined && total > rows.length) return success(notKnown);
  const counted = await bridge.call('library.totals', { queries: [[...terms, { field: 'tlp', negated: false, level: 'unknown' }]] });
  if (!counted.ok) return counted;
  const without = await ofNamed(bridge, except);
  if (!without.ok) return without;
  const unknown = (counted.value.totals[0]?.samples ?? 0) - (without.value.isKnown ? without.value.unknown : 0);
  return success({ isKnown: true, level: first?.tlp ?? null, unknown: Math.max(0, unknown) });
}

async function ofNamed(bridge: Bridge<File>, hashes: readonly string[]): Promise<Result<Strictest>> {
  const samples: SampleFacts[] = [];
  for (let after: number | null = hashes.length === 0 ? null : 0; after !== null; ) {
    const answer: Awaited<ReturnType<typeof readPage>> = await readPage(bridge, hashes, after);
    if (!answer.ok) return answer;
    samples.push(...answer.value.samples);
    after = answer.value.next;
  }
  return success({ isKnown: true, level: strictestTlp(samples.map(({ tlp }) => tlp)), unknown: samples.filter(isTlpUnknown).length });
}

const readPage = (bridge: Bridge<File>, hashes: readonly string[], after: number) => bridge.call('library.facts', { selection: { kind: 'named', hashes: [...hashes] }, after, limit: atOnce });

async function ofJob(bridge: Bridge<File>, { id, filter }: Extract<CaseSelection, { kind: 'job' }>): Promise<Result<Strictest>> {
  const hashes = new Set<string>();
  for (let offset = 0, total = 1; offset < total; offset += atOnce) {
    const answer = await bridge.call('jobs.items', { id, filter, sort: { column: 'position', descending: false }, offset, limit: atOnce });
    if (!answer.ok) return answer;
    total = answer.value.total;
    if (total > mostNamed) return success(notKnown);
    for (const { sha256, md5, hash } of answer.value.items) hashes.add(sha256 ?? md5 ?? hash);
  }
  return ofNamed(bridge, [...hashes]);
}

import { useQuery } from '@tanstack/react-query';
import type { CaseSelection } from '../../../shared/domain/case.ts';
import { mostQueryTerms, termCount } from '../../../shared/domain/query-fields.ts';
import type { SampleFacts } from '../../../shared/domain/sample.ts';
import { isTlpUnknown, strictestTlp, type TlpLevel } from '../../../shared/domain/tag.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { type Result, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { valueOf } from '../../bridge/operations.ts';
import { factsNamed, factsOfItems, useReadRecords } from '../records/records.tsx';

const atOnce = 1000;

/**
 * The strictest TLP of samples that is known, null where none of them is known to have any, and of how many it is not
 * known. Of more samples than can be asked for neither is known: the host sees to it then.
 */
export type Strictest = { isKnown: true; level: TlpLevel | null; unknown: number } | { isKnown: false };

const notKnown: Strictest = { isKnown: false };

async function strictestOf(bridge: Bridge<File>, selection: CaseSelection): Promise<Result<Strictest>> {
  if (selection.kind === 'query') return ofQuery(bridge, selection);
  const facts =
    selection.kind === 'named' ? await factsNamed(bridge, selection.hashes) : await factsOfItems(bridge, selection);
  if (!facts.ok) return facts;
  return success(facts.value === null ? notKnown : ofFacts(facts.value));
}

/** The list by TLP begins with the strictest; those that are left out may come before it. */
async function ofQuery(
  bridge: Bridge<File>,
  { terms, except }: Extract<CaseSelection, { kind: 'query' }>,
): Promise<Result<Strictest>> {
  if (termCount(terms) >= mostQueryTerms) return success(notKnown);
  const limit = Math.min(atOnce, except.length + 1);
  const listed = await bridge.call('library.list', {
    terms,
    sort: { by: 'tlp', descending: true },
    moment: crypto.randomUUID(),
    offset: 0,
    limit,
  });
  if (!listed.ok) return listed;
  const { rows, total } = listed.value;
  const leftOut = new Set(except);
  const first = rows.find(({ hash }) => !leftOut.has(hash));
  if (first === undefined && total > rows.length) return success(notKnown);
  const counted = await bridge.call('library.totals', {
    queries: [[...terms, { field: 'tlp', negated: false, level: 'unknown' }]],
  });
  if (!counted.ok) return counted;
  const without = await factsNamed(bridge, except);
  if (!without.ok) return without;
  const unknown = (counted.value.totals[0]?.samples ?? 0) - without.value.filter(isTlpUnknown).length;
  return success({ isKnown: true, level: first?.tlp ?? null, unknown: Math.max(0, unknown) });
}

const ofFacts = (samples: readonly SampleFacts[]): Strictest => ({
  isKnown: true,
  level: strictestTlp(samples.map(({ tlp }) => tlp)),
  unknown: samples.filter(isTlpUnknown).length,
});

const question = 'cases.strictest';

/** The strictest TLP of samples, read again when their records were fetched. */
export function useStrictest(selection: CaseSelection) {
  const bridge = useBridge();
  useReadRecords(question);
  return useQuery<Strictest, Failure>({
    queryKey: [question, selection],
    queryFn: () => valueOf(strictestOf(bridge, selection)),
    gcTime: 0,
  });
}

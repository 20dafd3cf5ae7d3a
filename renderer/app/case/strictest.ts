import type { Bridge } from '../../../shared/bridge.ts';
import type { CaseSelection } from '../../../shared/domain/case.ts';
import { strictestTlp, type TlpLevel } from '../../../shared/domain/tlp.ts';
import { type Result, success } from '../../../shared/failure.ts';

const atOnce = 1000;
/** As many are named in one selection. */
const mostNamed = 5000;

/** The strictest TLP of samples; null: none has any. Of more than can be asked for it is not known: the host sees to it then. */
export type Strictest = { isKnown: true; level: TlpLevel | null } | { isKnown: false };

const known = (level: TlpLevel | null): Result<Strictest> => success({ isKnown: true, level });
const unknown: Result<Strictest> = success({ isKnown: false });

export async function strictestOf(bridge: Bridge<File>, selection: CaseSelection): Promise<Result<Strictest>> {
  if (selection.kind === 'query') return ofQuery(bridge, selection);
  if (selection.kind === 'named') return ofNamed(bridge, selection.hashes);
  return ofJob(bridge, selection);
}

/** The list by TLP begins with the strictest; those that are left out may come before it. */
async function ofQuery(bridge: Bridge<File>, { terms, except }: Extract<CaseSelection, { kind: 'query' }>): Promise<Result<Strictest>> {
  const limit = Math.min(atOnce, except.length + 1);
  const answer = await bridge.call('library.list', { terms, sort: { by: 'tlp', descending: true }, moment: crypto.randomUUID(), offset: 0, limit });
  if (!answer.ok) return answer;
  const { rows, total } = answer.value;
  const leftOut = new Set(except);
  const first = rows.find(({ hash }) => !leftOut.has(hash));
  if (first !== undefined) return known(first.tlp);
  return total <= rows.length ? known(null) : unknown;
}

async function ofNamed(bridge: Bridge<File>, hashes: readonly string[]): Promise<Result<Strictest>> {
  let strictest: TlpLevel | null = null;
  for (let after: number | null = 0; after !== null; ) {
    const answer: Awaited<ReturnType<typeof readPage>> = await readPage(bridge, hashes, after);
    if (!answer.ok) return answer;
    strictest = strictestTlp([strictest, ...answer.value.samples.map(({ tlp }) => tlp)]);
    after = answer.value.next;
  }
  return known(strictest);
}

const readPage = (bridge: Bridge<File>, hashes: readonly string[], after: number) => bridge.call('library.facts', { selection: { kind: 'named', hashes: [...hashes] }, after, limit: atOnce });

async function ofJob(bridge: Bridge<File>, { id, filter }: Extract<CaseSelection, { kind: 'job' }>): Promise<Result<Strictest>> {
  const hashes = new Set<string>();
  for (let offset = 0, total = 1; offset < total; offset += atOnce) {
    const answer = await bridge.call('jobs.items', { id, filter, sort: { column: 'position', descending: false }, offset, limit: atOnce });
    if (!answer.ok) return answer;
    total = answer.value.total;
    if (total > mostNamed) return unknown;
    for (const { sha256, md5, hash } of answer.value.items) hashes.add(sha256 ?? md5 ?? hash);
  }
  return hashes.size === 0 ? known(null) : ofNamed(bridge, [...hashes]);
}

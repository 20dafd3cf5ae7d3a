import { joinedFound } from './found-rules.ts';
import { openScanSession, type ScanOrder, type ScanSession, type ScanSessionOptions } from './scan-session.ts';
import { programOf, type RuleProgram } from './rule-program.ts';
import type { ScanVerdict } from './scan-verdict.ts';

/** Fewer rules compile so fast that each lane may as well compile all of them. */
const leastRules = 1000;

/**
 * The rules of a program in as many parts as there are lanes: with a part for each lane they compile in a fraction of the time, and
 * take a fraction of the memory. What a rule uses is in its part. A global rule decides over all others, so that there is one part only.
 */
export function dividedProgram(program: RuleProgram, lanes: number): RuleProgram[] {
  const { pieces, reported } = program;
  if (lanes < 2 || pieces.rules.length < leastRules || pieces.rules.some(({ isGlobal }) => isGlobal)) return [program];
  const lengths = new Map(pieces.rules.map(({ name, text }) => [name, text.length]));
  const all = reported.reduce((sum, name) => sum + (lengths.get(name) ?? 0), 0);
  const parts = Array.from({ length: lanes }, () => new Set<string>());
  let passed = 0;
  for (const name of reported) {
    parts[Math.min(lanes - 1, Math.floor((passed / all) * lanes))]?.add(name);
    passed += lengths.get(name) ?? 0;
  }
  return parts.filter(({ size }) => size > 0).map((names) => programOf(pieces, names));
}

/**
 * As `openScanSession`, with the parts of a divided program: each has a lane, and every file goes through all of them.
 * @throws as that does
 */
export async function openDividedSession<S>(parts: readonly RuleProgram[], options: Omit<ScanSessionOptions, 'program'>): Promise<ScanSession<S>> {
  const [program, ...others] = parts;
  if (program === undefined) throw new RangeError('a program without parts');
  if (others.length === 0) return openScanSession<S>({ ...options, program });
  const opening = await Promise.allSettled(parts.map((part) => openScanSession<S>({ ...options, lanes: 1, program: part })));
  const opened = opening.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const session = new DividedSession(opened);
  for (const one of opening) {
    if (one.status === 'fulfilled') continue;
    await session.close();
    throw one.reason;
  }
  return session;
}

class DividedSession<S> implements ScanSession<S> {
  readonly #sessions: readonly ScanSession<S>[];

  constructor(sessions: readonly ScanSession<S>[]) {
    this.#sessions = sessions;
  }

  async scan(order: ScanOrder<S>): Promise<ScanVerdict> {
    return together(await Promise.all(this.#sessions.map((session) => session.scan(order))));
  }

  async room(): Promise<void> {
    await Promise.all(this.#sessions.map((session) => session.room()));
  }

  async close(): Promise<void> {
    await Promise.all(this.#sessions.map((session) => session.close()));
  }
}

/** What all parts say of a file: it was scanned when each of them scanned it. */
function together(verdicts: readonly ScanVerdict[]): ScanVerdict {
  const scanned = verdicts.filter((verdict) => verdict.kind === 'scanned');
  const other = verdicts.find(({ kind }) => kind === 'failed') ?? verdicts.find(({ kind }) => kind === 'unreadable');
  if (other !== undefined) return other;
  const { found, isCut } = joinedFound(scanned.map((verdict) => verdict.found));
  return { kind: 'scanned', elapsedMs: Math.max(...scanned.map(({ elapsedMs }) => elapsedMs)), found, isCut: isCut || scanned.some((verdict) => verdict.isCut), namesLeftOut: Math.max(...scanned.map(({ namesLeftOut }) => namesLeftOut)) };
}

import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { ScannedFile } from '../../shared/domain/scan.ts';
import type { RowsAnswer, ScanPageRequest, TargetsAnswer } from './reading-thread.ts';
import { files, ScanConditions } from './scan-conditions.ts';
import { ScannedFiles } from './scanned-files.ts';
import { rowsOf } from './statement.ts';

/** What a page holds, about: files may have many matches. */
const mostMatchesAPage = 50_000;

const foundRow = z.object({ position: z.number(), sha256: z.string() });
const hitRow = z.object({ position: z.number(), rule: z.string() });

/** The next files that match, with those of their hits that match. */
export function readRows(
  sql: DatabaseSync,
  path: string,
  { request, now }: { request: ScanPageRequest; now: string },
): RowsAnswer {
  const { jobId, filter } = request;
  const conditions = new ScanConditions(sql, { jobId, now, filter });
  const found = foundBehind(sql, conditions, request);
  const meant = meantHits(sql, conditions, found);
  const reader = new ScannedFiles(sql, { path, jobId, now, withReplies: false, knownHits: null });
  const page: ScannedFile[] = [];
  for (let matches = 0; page.length < found.length && matches < mostMatchesAPage; matches += matchesOf(page.at(-1))) {
    const position = found[page.length]?.position ?? 0;
    const file = reader.read(position);
    if (file === null) break;
    page.push(onlyRules(file, meant.get(position) ?? new Set()));
  }
  return {
    files: page,
    next: nextOf(page.at(-1)?.position, page.length < found.length || found.length === request.limit),
  };
}

/** The SHA-256 of the next files that match. */
export function readTargets(
  sql: DatabaseSync,
  { request, now }: { request: ScanPageRequest; now: string },
): TargetsAnswer {
  const found = foundBehind(
    sql,
    new ScanConditions(sql, { jobId: request.jobId, now, filter: request.filter }),
    request,
  );
  return {
    sha256s: found.map(({ sha256 }) => sha256),
    next: nextOf(found.at(-1)?.position, found.length === request.limit),
  };
}

const foundBehind = (
  sql: DatabaseSync,
  { meansFile, parameters }: ScanConditions,
  { after, limit }: ScanPageRequest,
): z.infer<typeof foundRow>[] =>
  rowsOf(
    sql,
    foundRow,
    `SELECT item.position, item.hash AS sha256 FROM ${files} WHERE item.job_id = :job AND item.position > :after
      AND ${meansFile} ORDER BY item.position LIMIT :limit`,
    { ...parameters, after, limit },
  );

function meantHits(
  sql: DatabaseSync,
  conditions: ScanConditions,
  found: readonly { position: number }[],
): Map<number, Set<string>> {
  const [first, last] = [found[0]?.position ?? 0, found.at(-1)?.position ?? 0];
  const text = conditions.hits('hit.position, rule.rule', ' AND hit.position BETWEEN :first AND :last');
  const byPosition = new Map<number, Set<string>>();
  for (const { position, rule } of rowsOf(sql, hitRow, text, { ...conditions.parameters, first, last })) {
    const rules = byPosition.get(position);
    if (rules) rules.add(rule);
    else byPosition.set(position, new Set([rule]));
  }
  return byPosition;
}

function onlyRules(file: ScannedFile, rules: ReadonlySet<string>): ScannedFile {
  const isMeant = (rule: string): boolean => rules.has(rule.toWellFormed());
  return {
    ...file,
    results: file.results.map((result) => ({ ...result, hits: result.hits.filter(({ rule }) => isMeant(rule)) })),
    muted: file.muted.filter(({ rule }) => isMeant(rule)),
    added: file.added.filter(isMeant),
    lost: file.lost.filter(isMeant),
  };
}

const matchesOf = (file: ScannedFile | undefined): number =>
  (file?.results ?? []).reduce(
    (sum, { hits }) =>
      sum + hits.reduce((all, { strings }) => all + strings.reduce((of, one) => of + one.matches.length, 1), 0),
    1,
  );

const nextOf = (last: number | undefined, mayBeMore: boolean): number | null => (mayBeMore ? (last ?? null) : null);

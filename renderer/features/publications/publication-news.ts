import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { OperationName } from '../../../shared/contract.ts';
import type { DifferenceCounts } from '../../../shared/domain/publication.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { EventPayload } from '../../../shared/events.ts';
import { useEvent } from '../../bridge/operations.ts';
import { cutMiddle } from '../../components/format.ts';
import { useToast } from '../../components/toasts.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { useCurrentPublications } from './publications-place.tsx';
import { text } from './strings.ts';

/** What depends on which package is active; the rest is read under the name of its package, which never changes. */
const ofActive: readonly OperationName[] = [
  'publications.rules',
  'publications.ruleNames',
  'publications.rule',
  'publications.ruleFacts',
  'publications.rulePackages',
  'mutes.list',
  'scans.plan',
  'hunts.estimate',
];

/** Reads again what depends on the active package and on the costs of its rules. */
export function useFreshPublications(): void {
  const client = useQueryClient();
  // While many rules are measured, the list is not read again for each of them.
  useEvent('ruleCosts.changed', ({ workspaceId, isRunning }) => {
    if (isRunning) return;
    for (const name of ['publications.rules', 'publications.ruleFacts'] as const)
      void client.invalidateQueries({ queryKey: [name, { workspaceId }] });
  });
  const state = useCurrentPublications();
  const workspaceId = state?.workspaceId;
  const active = state?.active;
  const judged = state?.packages.map(({ sha256, contents }) => `${sha256} ${contents?.rules} ${contents?.broken}`);
  useJudgedAgain(workspaceId, judged);
  const known = useRef({ workspaceId, active });
  // A check reports several times a second: rules are read again only when they change.
  useEffect(() => {
    const before = known.current;
    known.current = { workspaceId, active };
    if (before.workspaceId !== workspaceId || before.active === active) return;
    for (const name of ofActive) void client.invalidateQueries({ queryKey: [name, { workspaceId }] });
  }, [client, workspaceId, active]);
}

/**
 * What is in use of a package changes with the variables of its workspace, and with how it takes regular expressions.
 * `judged`: a line a package.
 */
function useJudgedAgain(workspaceId: string | undefined, judged: readonly string[] | undefined): void {
  const client = useQueryClient();
  const lines = judged?.join('\n');
  const known = useRef({ workspaceId, lines });
  useEffect(() => {
    const before = known.current;
    known.current = { workspaceId, lines };
    if (before.workspaceId !== workspaceId || before.lines === undefined || lines === undefined) return;
    const there = new Map(before.lines.split('\n').map((line) => [line.slice(0, sha256Length), line]));
    if (lines.split('\n').every((line) => (there.get(line.slice(0, sha256Length)) ?? line) === line)) return;
    for (const name of [...ofActive, 'publications.review', 'publications.explain'] as const)
      void client.invalidateQueries({ queryKey: [name, { workspaceId }] });
  }, [client, workspaceId, lines]);
}

const sha256Length = 64;
const longestName = 40;
const shortName = (name: string): string => visibleText(cutMiddle(name, longestName));

/** The result of a check that no one waited for, and a link to it. */
export function usePublicationNews(): void {
  const toast = useToast();
  const { openPublications } = useNavigation();
  const { workspaces, current } = useWorkspaces();
  useEvent('publications.news', (news) => {
    const isHere = news.workspaceId === current?.id;
    const name = workspaces.find(({ id }) => id === news.workspaceId)?.name;
    const reported = isHere || name === undefined ? newsWords(news) : text.news.of(shortName(name), newsWords(news));
    toast({
      meaning: news.kind === 'failed' ? 'bad' : news.kind === 'installed' ? 'ok' : 'info',
      text: reported,
      ...(isHere ? { action: { text: text.news.look, act: () => openPublications('updates') } } : {}),
    });
  });
}

function newsWords({ kind, version, counts }: EventPayload<'publications.news'>): string {
  const name = version === null ? null : shortName(version);
  return kind === 'failed'
    ? text.news.failed(name)
    : text.news[kind](name ?? text.news.unnamed, counts === null ? '' : countWords(counts));
}

/** `+2 −1 ~3`. */
const countWords = ({ added, removed, changed }: DifferenceCounts): string => `+${added} −${removed} ~${changed}`;

import { useQuery } from '@tanstack/react-query';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import type { SampleFacts } from '../../../shared/domain/sample.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { valueOf } from '../../bridge/operations.ts';
import { cutMiddle } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { text } from './strings.ts';

/** Samples of a selection that an action cannot take: how many, and what the first of them are called. */
export interface LeftOut {
  count: number;
  names: readonly string[];
}

const shownNames = 3;
/** In characters. */
const longestName = 40;
const shownDigits = 12;

type Named = Pick<SampleFacts, 'name' | 'sha256' | 'md5' | 'sha1'>;

function nameOf({ name, sha256, md5, sha1 }: Named): string {
  const hash = sha256 ?? md5 ?? sha1 ?? '';
  return name === null || name === '' ? hash.slice(0, shownDigits) : visibleText(cutMiddle(name, longestName));
}

export const leftOutOf = (samples: readonly Named[]): LeftOut => ({
  count: samples.length,
  names: samples.slice(0, shownNames).map(nameOf),
});

/** Of more samples than this, which of them are in the vault is not found out before a question. */
export const mostLookedThrough = 5000;
const page = 1000;

/**
 * The samples of a selection whose bytes are not in the vault. undefined: not known yet, or not found out, because
 * there are too many.
 */
export function useWithoutBytes(selection: LibrarySelection | null, count: number): LeftOut | undefined {
  const bridge = useBridge();
  const { data } = useQuery<LeftOut, Failure>({
    queryKey: ['library.facts', 'without bytes', selection],
    queryFn: async () => leftOutOf(await withoutBytes(bridge, selection)),
    enabled: selection !== null && count <= mostLookedThrough,
    // Another question is about what is in the vault by then.
    gcTime: 0,
  });
  return data;
}

async function withoutBytes(bridge: Bridge<File>, selection: LibrarySelection | null): Promise<SampleFacts[]> {
  const without: SampleFacts[] = [];
  for (let after: number | null = selection === null ? null : 0; selection !== null && after !== null;) {
    const facts: { samples: SampleFacts[]; next: number | null } = await valueOf(
      bridge.call('library.facts', { selection, after, limit: page }),
    );
    without.push(...facts.samples.filter(({ inVault }) => !inVault));
    after = facts.next;
  }
  return without;
}

interface LeftOutNoticeProps {
  leftOut: LeftOut | undefined;
  /** How many were selected. */
  of: number;
  words: { title(count: number, of: number): string; why(which: string): string };
}

/** Why fewer samples come out than were selected, before it begins. Nothing where all of them do. */
export function LeftOutNotice({ leftOut, of, words }: LeftOutNoticeProps) {
  if (leftOut === undefined || leftOut.count === 0) return null;
  return (
    <Notice meaning="info" title={words.title(leftOut.count, of)}>
      <bdi>{words.why(text.names(leftOut.names, leftOut.count))}</bdi>
    </Notice>
  );
}

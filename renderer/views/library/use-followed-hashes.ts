import { useEffect } from 'react';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { type LibraryPlace, useLibraryPlaces } from '../../features/library/library-place.tsx';
import { mostNamed, namedSelections, readFacts } from './actions/meant-samples.ts';
import type { KnownRows } from './known-rows.ts';
import type { LibraryRows } from './use-library-rows.ts';

/**
 * A sample goes by its MD5 until its SHA-256 is known: what is ticked and chosen by the one is from then on by the
 * other. Whether it is the same sample is for the host to say, since several may have one MD5; where it cannot be
 * asked, the next rows that come are reason to.
 */
export function useFollowedHashes({ windows: { drawn }, known }: LibraryRows): void {
  const bridge = useBridge();
  const places = useLibraryPlaces();
  useEffect(() => {
    let isOver = false;
    const follow = async (): Promise<void> => {
      const md5s = outdatedIn(places.snapshot(), known);
      if (drawn === null || md5s.length === 0) return;
      const hashes = await nowKnown(bridge, md5s);
      if (!isOver && hashes.size > 0) places.note(followed(places.snapshot(), hashes, known));
    };
    void follow();
    return () => {
      isOver = true;
    };
  }, [bridge, places, drawn, known]);
}

function outdatedIn({ selection, current }: LibraryPlace, known: KnownRows): string[] {
  const noted = current === null ? selection.keys : new Set([...selection.keys, current.hash]);
  return [...noted].filter((hash) => known.isMd5OfOther(hash)).slice(0, mostNamed);
}

/** The SHA-256 of those samples of which one is known by now, by their MD5. */
async function nowKnown(bridge: Bridge<File>, md5s: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const facts = await readFacts(bridge, { selections: namedSelections(md5s) }, mostNamed);
  return new Map(
    facts.ok ? facts.value.flatMap(({ md5, sha256 }) => (md5 === null || sha256 === null ? [] : [[md5, sha256]])) : [],
  );
}

function followed(
  { selection, current }: LibraryPlace,
  hashes: ReadonlyMap<string, string>,
  known: KnownRows,
): Partial<LibraryPlace> {
  const keys = new Set([...selection.keys].map((hash) => hashes.get(hash) ?? hash));
  const row = current === null ? undefined : known.of(hashes.get(current.hash) ?? current.hash);
  return { selection: { ...selection, keys }, current: row ?? current };
}

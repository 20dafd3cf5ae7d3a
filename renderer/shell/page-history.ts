import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useOperation } from '../bridge/operations.ts';
import { type LookupState, useLookupStore } from '../features/lookup/lookup-store.tsx';
import { hasOpenDialog } from '../keyboard/focus.ts';
import { isTyping } from '../keyboard/view-keys.ts';
import { type Navigation, useNavigation } from '../state/navigation.tsx';

/** Where a person was. Kept in the memory of the page alone: the browser's entry has only its number. */
interface Place extends Pick<
  Navigation,
  'currentView' | 'section' | 'publicationsTab' | 'chosenJob' | 'shownSample' | 'shownScan'
> {
  lookup: { text: string; state: LookupState };
}

interface Entry {
  /** Of this page: entries of a page before a reload lead nowhere. */
  page: string;
  at: number;
}

/** The entry that the page shows. */
interface Shown {
  at: number;
  key: string;
  /** The page shows less than its place has, which is of another workspace: the place stays as it was. */
  isEmptied: boolean;
}

/**
 * Makes views, opened samples, looked-up hashes, scans, settings and tabs entries of the browser's history, for Back
 * and Forward. The address stays the one of the page, without a hash, a name or the secret of a link. With a dialog
 * open, Back and Forward close the dialog, as Escape does, and lead nowhere.
 */
export function PageHistory(): null {
  const { place, latest, shownAgain, reopen } = usePlaceShown();
  const key = keyOf(place);
  const [page] = useState(() => crypto.randomUUID());
  const places = useRef(new Map<number, Place>());
  const shown = useRef<Shown | null>(null);
  const isStep = useRef(false);
  const entered = useEffectEvent(() => {
    const before = shown.current;
    if (before?.key === key) return;
    const leads = before === null || isStep.current || isSameEntry(before.key, key);
    isStep.current = false;
    const at = before === null ? 0 : leads ? before.at : before.at + 1;
    shown.current = { at, key, isEmptied: leads && before?.isEmptied === true };
    const entry: Entry = { page, at };
    if (before === null || leads) window.history.replaceState(entry, '', window.location.pathname);
    else window.history.pushState(entry, '', window.location.pathname);
  });
  const kept = useEffectEvent((now: Place) => {
    if (shown.current?.isEmptied === false) keep(places.current, shown.current.at, now, latest);
  });
  // The record of a sample that was looked up comes after its hash: of a place, what was seen there last is kept, and
  // what came for it since. It is entered before it is drawn: Back pressed at once would else lead past the one before.
  useLayoutEffect(() => {
    entered();
    kept(place);
  }, [place]);
  const onStep = useEffectEvent(({ state }: PopStateEvent) => {
    const before = shown.current;
    const known = isEntry(state) && state.page === page ? places.current.get(state.at) : undefined;
    const newest = known && latest(known);
    const to = newest && shownAgain(newest);
    if (before === null || to === undefined || !isEntry(state) || state.at === before.at) return;
    if (hasOpenDialog()) {
      window.history.go(before.at - state.at);
      return closeOverlay();
    }
    isStep.current = keyOf(to) !== key;
    shown.current = { at: state.at, key, isEmptied: to !== newest };
    // The blur lets the view take the focus.
    if (isStep.current && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    reopen(to);
  });
  useEffect(() => {
    const listener = (event: PopStateEvent): void => onStep(event);
    window.addEventListener('popstate', listener);
    return () => window.removeEventListener('popstate', listener);
  }, []);
  useDesktopSteps();
  return null;
}

/** As many entries as browsers keep: none before them can be gone back to. */
const mostPlaces = 50;

function keep(places: Map<number, Place>, at: number, place: Place, latest: (place: Place) => Place): void {
  places.set(at, place);
  for (const [each, known] of places) {
    if (each <= at - mostPlaces) places.delete(each);
    else places.set(each, latest(known));
  }
}

interface ShownPlace {
  place: Place;
  /** With what came since, for a place that is kept. */
  latest(place: Place): Place;
  /** What reopening it will show. */
  shownAgain(place: Place): Place;
  reopen(place: Place): void;
}

function usePlaceShown(): ShownPlace {
  const navigation = useNavigation();
  const { currentView, section, publicationsTab, chosenJob, shownSample, shownScan } = navigation;
  const lookup = useLookupStore();
  const { text, state } = lookup;
  const reopen = (to: Place): void => {
    if (to.currentView === 'settings') return navigation.openSettings(to.section);
    if (to.currentView === 'publications') return navigation.openPublications(to.publicationsTab);
    if (to.currentView === 'library') return navigation.openSample(to.shownSample);
    if (to.currentView === 'scan')
      return navigation.openScan(to.shownScan?.jobId ?? null, to.shownScan?.position ?? undefined);
    if (to.currentView === 'activity' && to.chosenJob !== null) return navigation.openJob(to.chosenJob);
    if (to.currentView === 'lookup') lookup.showAgain(to.lookup.text, to.lookup.state);
    return navigation.openView(to.currentView);
  };
  const place = { currentView, section, publicationsTab, chosenJob, shownSample, shownScan, lookup: { text, state } };
  const withState = (of: Place, newer: (state: LookupState) => LookupState): Place => {
    const next = newer(of.lookup.state);
    return next === of.lookup.state ? of : { ...of, lookup: { ...of.lookup, state: next } };
  };
  return {
    place,
    latest: (of) => withState(of, lookup.latest),
    shownAgain: (of) => withState(of, lookup.shownAgain),
    reopen,
  };
}

/** Equal for equal places: only what the shown view shows counts. */
function keyOf({ currentView, section, publicationsTab, chosenJob, shownSample, shownScan, lookup }: Place): string {
  const within: Partial<Record<Navigation['currentView'], unknown>> = {
    settings: section,
    publications: publicationsTab,
    activity: chosenJob,
    library: shownSample,
    scan: shownScan,
    lookup: lookupKey(lookup.state),
  };
  return JSON.stringify([currentView, within[currentView] ?? null]);
}

function lookupKey(state: LookupState): unknown {
  if ('hash' in state) return state.hash.value;
  if (state.kind !== 'choosing') return null;
  return [state.choice.many?.kind, state.choice.many?.number];
}

/**
 * The welcome is no place to return to, nor a text that is still being read. Walking down the list of jobs is one
 * place.
 */
const isSameEntry = (before: string, after: string): boolean =>
  [before, after].some((key) => key.startsWith('["welcome"')) ||
  [before, after].every((key) => key.startsWith('["activity"')) ||
  (before.startsWith('["lookup",["text"') && after.startsWith('["lookup"'));

function isEntry(state: unknown): state is Entry {
  if (typeof state !== 'object' || state === null || !('page' in state) || !('at' in state)) return false;
  return typeof state.page === 'string' && typeof state.at === 'number';
}

/** As Escape closes it: a dialog that asks is answered with no. */
function closeOverlay(): void {
  const within = document.activeElement ?? document.body;
  within.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
}

const backButton = 3;
const forwardButton = 4;

/** A browser takes its keys and the side buttons of a mouse itself; in the window of the desktop the page has to. */
function useDesktopSteps(): void {
  const { data: host } = useOperation('host.describe', {});
  const isDesktop = host?.platform === 'desktop';
  useEffect(() => {
    if (!isDesktop) return undefined;
    const stop = new AbortController();
    const step = (event: Event, by: number | undefined): void => {
      if (by === undefined) return;
      event.preventDefault();
      window.history.go(by);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && !isTyping(event))
        step(
          event,
          new Map([
            ['ArrowLeft', -1],
            ['ArrowRight', 1],
          ]).get(event.key),
        );
    };
    const onButton = (event: MouseEvent): void =>
      step(
        event,
        new Map([
          [backButton, -1],
          [forwardButton, 1],
        ]).get(event.button),
      );
    window.addEventListener('keydown', onKey, { signal: stop.signal });
    window.addEventListener('mouseup', onButton, { signal: stop.signal });
    return () => stop.abort();
  }, [isDesktop]);
}

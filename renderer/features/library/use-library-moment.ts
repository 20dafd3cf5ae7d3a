import { useMemo, useState } from 'react';
import { useEvent } from '../../bridge/use-event.ts';
import { paced } from '../../state/pacing.ts';

/**
 * A state of the library. Windows that were read at the same moment are of one list; ages in a query are counted back
 * from it.
 */
export interface LibraryMoment {
  key: string;
  now: Date;
}

const newMoment = (): LibraryMoment => ({ key: crypto.randomUUID(), now: new Date() });

/** Another one when the library changed, at most every so many milliseconds. */
export function useLibraryMoment(everyMs: number): LibraryMoment {
  const [moment, setMoment] = useState(newMoment);
  const renew = useMemo(() => paced(everyMs, () => setMoment(newMoment())), [everyMs]);
  useEvent('library.changed', renew);
  return moment;
}

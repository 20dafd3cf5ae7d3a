import { assertNever } from '../../../shared/assert-never.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { cutMiddle } from '../../components/format.ts';
import { type HashTextVerdict, readHashText } from '../hash-text.ts';
import { lookupFieldId, useLookupDesk } from '../lookup-desk.tsx';
import { useNavigation } from '../navigation.tsx';
import type { Command, CommandsBySection } from './commands.ts';
import { text } from './text.ts';

const longestShown = 60;
const shownOf = (typed: string): string => visibleText(cutMiddle(typed, longestShown));

/** Looks up what was typed or pasted, from any room. The answer and its field are the look-up's. */
export function useLookUp(): (asked: string) => void {
  const { ask } = useLookupDesk();
  const { openRoom } = useNavigation();
  return (asked) => {
    openRoom('lookup');
    ask(asked);
    // In another room it is not there yet, and takes the focus when it is.
    document.getElementById(lookupFieldId)?.focus();
  };
}

/** What the text itself can be used for. */
export function useTypedCommands(typed: string): CommandsBySection {
  const lookUp = useLookUp();
  const { openLibrary } = useNavigation();
  if (typed === '') return {};
  const title = lookUpTitle(readHashText(typed), typed);
  const search: Command = {
    id: 'typed:search',
    title: text.findInLibrary(shownOf(typed)),
    isOfText: true,
    leadsTo: 'library',
    run: () => openLibrary(typed),
  };
  return {
    lookUp:
      title === null
        ? []
        : [
            {
              id: 'typed:look-up',
              title,
              isOfText: true,
              keys: text.enter,
              leadsTo: 'lookup',
              run: () => lookUp(typed),
            },
          ],
    search: [search],
  };
}

const kinds = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256' } as const;

/**
 * null: there is nothing to look up in it. A hash that is too short or too long is looked up, for there it is said what
 * is wrong with it.
 */
function lookUpTitle(verdict: HashTextVerdict, typed: string): string | null {
  switch (verdict.kind) {
    case 'empty':
      return null;
    case 'none':
      return verdict.rejected.length === 0 ? null : text.lookUpTyped(shownOf(typed));
    case 'one':
      return text.lookUpOne(kinds[verdict.hash.kind], verdict.hash.value);
    case 'several':
      return text.lookUpMany(verdict.found.length);
    default:
      return assertNever(verdict);
  }
}

/** Whether a pasted text is looked up without another key. */
export const isForLookUp = (pasted: string): boolean => lookUpTitle(readHashText(pasted), pasted) !== null;

import type { PackageView } from '../../../../shared/domain/publication.ts';
import { Button } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { text } from './text.ts';
import { useUpdatesDesk } from './updates-desk.tsx';

const amounts = (words: readonly (readonly [number, (count: number) => string])[]): string =>
  words.flatMap(([count, say]) => (count > 0 ? [say(count)] : [])).join(', ');

/** What was left out of a package and what was converted. Encodings that are a guess can be converted. */
export function ReadingNotice({ shown: { sha256, contents } }: { shown: PackageView }) {
  const { state, convert } = useUpdatesDesk();
  const reading = contents?.reading;
  if (reading === undefined) return null;
  const guessed = amounts([
    [reading.latin1, text.latin1],
    [reading.utf16Unmarked, text.utf16Unmarked],
  ]);
  const others = amounts([
    [reading.leftOut, text.leftOut],
    [reading.links, text.links],
    [reading.utf16, text.utf16],
    [reading.bareReturns, text.bareReturns],
  ]);
  return (
    <>
      {guessed !== '' && (
        <Notice
          meaning="warn"
          title={text.readingTitle(guessed)}
          actions={
            <Button size="small" isDisabled={state?.check !== null} onPress={() => convert(sha256)}>
              {text.convert}
            </Button>
          }
        >
          {text.guessThen}
        </Notice>
      )}
      {others !== '' && <Notice meaning="info" size="small" title={others} />}
    </>
  );
}

import { visibleLine } from '../../shared/domain/visible-text.ts';
import { cutMiddle } from './middle-cut.ts';

/**
 * A file's name as a person must read it: its ending stays at the right whatever script it begins with, because the
 * ending says what it would do. Cut before its marks are spelt out, so that none of them is cut in two. Length in
 * characters.
 */
export function SampleName({ name, longest }: { name: string; longest: number }) {
  return <bdi dir="ltr">{visibleLine(cutMiddle(name, longest))}</bdi>;
}

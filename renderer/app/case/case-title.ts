import { isSeenLine } from '../../../shared/domain/seen-line.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { cutMiddle } from '../../components/format.ts';
import { text } from './text.ts';

const longestName = 80;
const day = (): string => new Date().toISOString().slice(0, 10);

/**
 * What a case or a bundle is called at first: as its only sample is, else by how many there are. A name is untrusted
 * text.
 */
export function titleOf(count: number, name: string | null): string {
  const shown = visibleLine(cutMiddle(name?.trim() ?? '', longestName));
  return count === 1 && isSeenLine(shown) ? shown : text.defaultTitle(count, day());
}

export const titleOfJob = (id: number): string => text.jobTitle(id, day());

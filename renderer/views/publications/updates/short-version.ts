import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { cutMiddle } from '../../../components/middle-cut.ts';

/** A version is a service's text of any shape: it has to fit beside a button. */
const longest = 28;

export const shortVersion = (version: string): string =>
  visibleText(cutMiddle(version.trim() === '' ? '–' : version, longest));

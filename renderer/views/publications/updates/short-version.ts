import { cutMiddle } from '../../../components/middle-cut.ts';
import { visibleText } from '../../../components/visible-text.ts';

/** A version is a service's text of any shape: it has to fit beside a button. */
const longest = 28;

export const shortVersion = (version: string): string => visibleText(cutMiddle(version.trim() === '' ? '–' : version, longest));

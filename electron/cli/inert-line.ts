import { defang } from '../../shared/domain/defang.ts';
import { visibleLine } from '../../shared/domain/visible-text.ts';

/**
 * Text that a service or a person sent, on one line of a terminal: nothing in it is hidden, and no address in it can be
 * followed by a slip.
 */
export const inertLine = (text: string): string => defang(visibleLine(text));

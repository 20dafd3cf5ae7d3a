import { isNumbered, type OwnComment, type ThreadComment } from '../../../shared/domain/comment.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { text } from './text.ts';

/** Above a comment of this desk stands who reads it. */
export const authorOf = ({ author, own }: ThreadComment): string | null => (own === null ? author : text.you);

/** In a sentence: "to desk-4". */
export const nameOf = ({ author, own }: ThreadComment): string =>
  own === null ? (author ?? text.someone) : text.toYou;

/**
 * Whether the service knows a comment by an id, so that it can be answered: the one text of a service without a list
 * has none.
 */
export function canBeAnswered({ id, own }: ThreadComment, listsComments: boolean): boolean {
  return own === null ? listsComments && isNumbered(id) : own.state === 'sent';
}

const whyOf = ({ failure }: OwnComment): string => (failure === null ? '' : sentenceFor(failure).what);

/** What became of comments of this desk between two readings of the thread, for those who do not see it. */
export function settledWords(before: readonly ThreadComment[], after: readonly ThreadComment[]): string[] {
  const states = new Map(before.flatMap(({ own }) => (own === null ? [] : [[own.id, own.state] as const])));
  return after.flatMap(({ own }) => {
    if (own === null || own.state === 'pending' || states.get(own.id) === own.state) return [];
    return [wordsOf(own, states.get(own.id) === 'may-have-arrived')];
  });
}

function wordsOf(own: OwnComment, wasUncertain: boolean): string {
  const { told } = text;
  if (own.state === 'sent') return wasUncertain ? told.arrived : told.sent;
  if (own.state === 'failed') return wasUncertain ? told.notArrived(whyOf(own)) : told.failed(whyOf(own));
  return told.mayHaveArrived;
}

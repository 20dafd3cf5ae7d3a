import type { FailureKind, FailureOf, ServiceName } from './failure.ts';

/** What a person reads of a failure. `what` happened; `then` says what it means for their things or what to do. */
export interface FailureSentence {
  what: string;
  then: string;
}

/** How each kind of failure becomes English. */
export type Sentences = { [K in FailureKind]: (failure: FailureOf<K>) => FailureSentence };
export type SomeSentences = Partial<Sentences>;

export const serviceWords: Record<ServiceName, string> = { repository: 'repository', 'rule-editor': 'rule editor' };

export const say = (what: string, then: string): FailureSentence => ({ what, then });

export const many = (count: number): string => count.toLocaleString('en');

export const bytes = (count: number): string => `${many(count)} bytes`;

export const quoted = (text: string): string => (text ? `It begins: ${text}` : '');

import type { FailureKind, FailureOf, ServiceName } from './failure.ts';

/** What a person reads of a failure: `what` happened; `then` why, and what to do about it. */
export interface FailureSentence {
  what: string;
  then: string;
}

/** How each kind of failure becomes English. */
export type Sentences = { [K in FailureKind]: (failure: FailureOf<K>) => FailureSentence };
export type SomeSentences = Partial<Sentences>;

export const serviceWords: Record<ServiceName, string> = { repository: 'repository', 'rule-editor': 'rule editor' };

export const print = (what: string, then: string): FailureSentence => ({ what, then });

export const many = (count: number): string => count.toLocaleString('en');

export const counted = (count: number, one: string): string => `${many(count)} ${count === 1 ? one : `${one}s`}`;

export const bytes = (count: number): string => counted(count, 'byte');

/** The first bytes of a response, if there are any. */
export const quoted = (text: string): string => (text ? ` Response starts with: ${text}` : '');

/** The reason a service gave for a refusal. */
export const reasonOf = (text: string): string => (text ? `Reason: ${text}` : 'No reason was given.');

import type { FailureSentence, Sentences } from './failure-sentence.ts';
import { connectionSentences } from './failure-sentences-connection.ts';
import {
  archiveSentences,
  bundleSentences,
  dataSentences,
  folderSentences,
  librarySentences,
  rulesSentences,
} from './failure-sentences-local.ts';
import { requestSentences, serviceSentences, uploadSentences } from './failure-sentences-remote.ts';
import { scanSentences } from './failure-sentences-scans.ts';
import type { Failure, FailureKind, FailureOf } from './failure.ts';

/** Exhaustive: a new kind of failure does not compile without its sentence. */
const sentences: Sentences = {
  ...requestSentences,
  ...connectionSentences,
  ...serviceSentences,
  ...uploadSentences,
  ...archiveSentences,
  ...rulesSentences,
  ...scanSentences,
  ...dataSentences,
  ...librarySentences,
  ...bundleSentences,
  ...folderSentences,
};

/** The one place where a failure becomes English. */
export const sentenceFor = (failure: Failure): FailureSentence => sentenceOfKind(failure.kind, failure);

const sentenceOfKind = <K extends FailureKind>(kind: K, failure: FailureOf<K>): FailureSentence =>
  sentences[kind](failure);

import type { Failure, FailureKind, FailureOf } from './failure.ts';
import type { FailureSentence, Sentences } from './failure-sentence.ts';
import { archiveSentences } from './failure-sentences-archive.ts';
import { bundleSentences } from './failure-sentences-bundle.ts';
import { dataSentences } from './failure-sentences-data.ts';
import { folderSentences } from './failure-sentences-folder.ts';
import { librarySentences } from './failure-sentences-library.ts';
import { requestSentences } from './failure-sentences-request.ts';
import { rulesSentences } from './failure-sentences-rules.ts';
import { scanSentences } from './failure-sentences-scan.ts';
import { serviceSentences } from './failure-sentences-service.ts';
import { uploadSentences } from './failure-sentences-upload.ts';

export type { FailureSentence } from './failure-sentence.ts';

/** Exhaustive: a new kind of failure does not compile without its sentence. */
const sentences: Sentences = {
  ...requestSentences,
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

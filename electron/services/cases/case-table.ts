import { csvFileHead, csvLine } from '../../../shared/domain/csv.ts';
import { sampleCells, sampleColumns } from '../../../shared/domain/sample-table.ts';
import type { CaseComment, CaseHead, CaseSample, CaseStory } from './case-sample.ts';
import { plainJson } from './case-words.ts';

/** A row a sample: the columns of every list of samples, how the case is marked, and what was asked for besides. */
export async function* caseCsv({ head, pages }: CaseStory): AsyncGenerator<string, void, void> {
  const { notes, comments } = head.include;
  yield csvFileHead([...sampleColumns, 'case_tlp', ...(notes ? ['note'] : []), ...(comments ? ['comments'] : [])]);
  for await (const samples of pages()) {
    yield samples
      .map((sample) =>
        csvLine([
          ...sampleCells(sample),
          head.tlp,
          ...(notes ? [sample.note?.text ?? null] : []),
          ...(comments ? [sample.comments.map(commentCell).join('\n')] : []),
        ]),
      )
      .join('');
  }
}

/** JSON Lines: an object a sample, with all texts as they are. */
export async function* caseJsonLines({ head, pages }: CaseStory): AsyncGenerator<string, void, void> {
  for await (const samples of pages()) yield samples.map((sample) => `${plainJson(lineOf(sample, head))}\n`).join('');
}

const commentCell = ({ author, created, text }: CaseComment): string =>
  `${[author ?? 'unnamed', created].filter((part) => part !== null).join(', ')}: ${text}`;

function lineOf(sample: CaseSample, { tlp: caseTlp, include }: CaseHead): object {
  const {
    sha256,
    sha1,
    md5,
    name,
    sizeBytes,
    type,
    tlp,
    threat,
    tags,
    serviceTags,
    hits,
    firstSeen,
    lastSeen,
    inVault,
    note,
    comments,
  } = sample;
  return {
    sha256,
    sha1,
    md5,
    name,
    sizeBytes,
    type,
    tlp,
    threat,
    tags,
    serviceTags,
    hits,
    firstSeen,
    lastSeen,
    inVault,
    caseTlp,
    ...(include.notes ? { note } : {}),
    ...(include.comments ? { comments: comments.map(({ author, created, text }) => ({ author, created, text })) } : {}),
  };
}

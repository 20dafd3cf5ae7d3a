import { z } from 'zod';

/** A record as the lab sends it, as much of it as is translated here. */
export const labRecord = z.object({
  md5: z.string(),
  sha256: z.string(),
  filename: z.string(),
  size: z.number(),
  date: z.string(),
  user_name: z.string(),
  threat: z.string().nullable(),
  criticity: z.number(),
  mime: z.string().nullable(),
  locked: z.boolean(),
  vtsubmit: z.boolean(),
  tags: z.string(),
  comments: z.array(
    z.object({
      id: z.number(),
      parent: z.number().nullable(),
      content: z.string(),
      author: z.string(),
      created: z.string(),
    }),
  ),
});
export type LabRecord = z.infer<typeof labRecord>;

/** `single`: the first comment of all as one text and no list, as older releases do. `list`: as newer ones do. */
export type CommentForm = 'single' | 'list';

const onePixelPng = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

/** The same record as servers in the field write it: every number a text, times without a zone, JSON inside texts. */
export function fieldRecord(record: LabRecord, comments: CommentForm): Record<string, unknown> {
  const { md5, sha256, filename, threat, mime } = record;
  const isProgram = mime === 'application/vnd.microsoft.portable-executable';
  return {
    md5,
    sha256,
    filename,
    size: String(record.size),
    date: withoutZone(record.date),
    uploader: '7',
    user_name: record.user_name,
    user_avatar: onePixelPng,
    threat,
    criticity: String(record.criticity),
    mime,
    favorite: '0',
    locked: record.locked ? '1' : '0',
    ...tagsTimesUrls(disordered(record.tags), [
      `report|https://reports.example/${md5}`,
      'source|hxxp://updates.example/a',
    ]),
    ...thirdParties(record),
    ssdeep: `3:${md5.slice(0, 12)}:${md5.slice(12, 20)}`,
    imphash: isProgram ? md5.split('').toReversed().join('') : null,
    pdbpath: isProgram ? 'C:\\build\\stub.pdb' : null,
    signer: null,
    icon: isProgram ? onePixelPng : null,
    pedata: isProgram ? JSON.stringify({ sections: [], imports: {}, timestamp: 0 }) : null,
    officedata: null,
    pdfdata: null,
    ...(comments === 'single'
      ? { comment: record.comments.find(({ parent }) => parent === null)?.content ?? '' }
      : { comments: record.comments.map(fieldComment) }),
  };
}

function thirdParties({ md5, criticity, vtsubmit }: LabRecord): Record<string, unknown> {
  const found = criticity === 1;
  return {
    virustotal_status: found ? '1' : vtsubmit ? '-2' : '-6',
    virustotal_score: found ? '41/70' : null,
    virustotal_link: found ? `https://scores.example/file/${md5}` : null,
    cuckoo_status: found ? '0' : -2,
    cuckoo_link: found ? 'https://sandbox.example/analysis/12' : null,
  };
}

/** Backwards, and the first of them twice: the field keeps neither order nor uniqueness. */
function disordered(tags: string): string[] {
  const list = tags === '' ? [] : tags.split(',');
  return [...list.toReversed(), ...list.slice(0, 1)];
}

/** One query joins both tables, so that each tag comes once for every URL, and each URL once for every tag. */
function tagsTimesUrls(tags: readonly string[], urls: readonly string[]): { tags: string; urls: string } {
  return {
    tags: tags.flatMap((tag) => urls.map(() => tag)).join(','),
    urls: (tags.length === 0 ? urls : tags.flatMap(() => urls)).join(','),
  };
}

const withoutZone = (date: string): string => date.slice(0, 19).replace('T', ' ');

function fieldComment({
  id,
  parent,
  content,
  author,
  created,
}: LabRecord['comments'][number]): Record<string, unknown> {
  return {
    id: String(id),
    parent: parent === null ? null : String(parent),
    created: withoutZone(created),
    modified: withoutZone(created),
    content,
    author,
    fullname: author,
  };
}

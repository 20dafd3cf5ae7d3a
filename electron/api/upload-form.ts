import type { FormFile } from './multipart.ts';
import type { UploadPart, UploadRequest } from './repository-api.ts';
import type { FormField } from './request-body.ts';

/**
 * The fields of an upload in both forms there are (docs/services.md, "uploadfiles"): a server reads the one it knows.
 */
export function uploadFields(
  { parts, comment, tokenInForm, decodesComments }: UploadRequest,
  token: string | null,
): FormField[] {
  const [first] = parts;
  return [
    ...parts.flatMap(fieldsOfPart),
    ['comment', decodesComments ? encodedOnce(comment) : comment],
    [
      'files_data',
      JSON.stringify(
        parts.map(({ virusTotal, sandbox, tags }, index) => ({
          index,
          vtsubmit: virusTotal,
          cksubmit: sandbox,
          tags: tags.join(','),
        })),
      ),
    ],
    ...(first && parts.length === 1 ? [['hash', first.md5.toLowerCase()] as const] : []),
    ...(tokenInForm && token !== null ? [['token', token] as const] : []),
  ];
}

function fieldsOfPart({ virusTotal, sandbox, tags }: UploadPart): FormField[] {
  return [
    ['vtsubmit[]', String(virusTotal)],
    ['cksubmit[]', String(sandbox)],
    ['tags[]', tags.join(',')],
  ];
}

/** What urldecode would change, so that it does not. */
const encodedOnce = (text: string): string => text.replace(/[%+]/g, encodeURIComponent);

/** A part without a name is taken for no file by many servers: it goes by its hash. */
export function formFiles(parts: readonly UploadPart[]): FormFile[] {
  return parts.map((part) => ({
    field: 'files[]',
    name: part.name === '' ? part.md5.toLowerCase() : part.name,
    sizeBytes: part.sizeBytes,
    open: () => part.open(),
  }));
}

import type { ActionCall } from './action.ts';
import { LabError } from './errors.ts';
import { multipartBoundary } from './form-type.ts';
import { type FormPart, readParts } from './multipart.ts';
import type { SharedBytes } from './shared-bytes.ts';

/** A file to look at. The bytes are in shared memory, so that a thread reads them where they are. */
export interface ScannedFile {
  name: string;
  bytes: Uint8Array;
}

const mostParts = 1_000;
const longestName = 1024;
/** Besides the file: heads and boundaries, and fields, which are not read. */
const besidesBytes = 8 * 1024 ** 2;

/**
 * The first file of a form, read into the memory given; whatever else it holds is passed over. @throws LabError for
 * what is over a limit, cannot be read, or holds no file
 */
export async function readScanForm(
  { request, body }: Pick<ActionCall, 'request' | 'body'>,
  fileBytes: number,
  memory: SharedBytes,
): Promise<ScannedFile> {
  const boundary = multipartBoundary(request);
  let name: string | null = null;
  let parts = 0;
  for await (const part of readParts(body(fileBytes + besidesBytes), boundary)) {
    parts += 1;
    if (parts > mostParts) throw new LabError('bad-parameter', `A form has at most ${mostParts} parts.`);
    if (name === null && (await isFile(part, memory))) name = part.fileName;
  }
  if (name === null) throw new LabError('missing-parameter', 'This form has no file.');
  return { name, bytes: memory.view() };
}

/** False for a field, and for a page's file field in which no file was chosen. */
async function isFile({ fileName, bytes }: FormPart, memory: SharedBytes): Promise<boolean> {
  if (fileName === null) return false;
  if (fileName.length > longestName)
    throw new LabError('bad-parameter', `A file name has at most ${longestName} characters.`);
  for await (const chunk of bytes())
    if (!memory.append(chunk)) throw new LabError('body-too-large', 'The file is over the scan limit.');
  return fileName !== '' || memory.sizeBytes > 0;
}

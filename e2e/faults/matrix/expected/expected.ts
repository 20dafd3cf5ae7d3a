import type { ActionName } from '../actions.ts';
import type { ExpectedCells } from '../expected-cell.ts';
import { addcomment } from './addcomment.ts';
import { unreadableComment } from './addcomment-getfile.ts';
import { bulkdownload } from './bulkdownload.ts';
import { checkpackageversion } from './checkpackageversion.ts';
import { downloadfile } from './downloadfile.ts';
import { downloadpublication } from './downloadpublication.ts';
import { getfile } from './getfile.ts';
import { scanfile } from './scanfile.ts';
import { uploadfiles } from './uploadfiles.ts';
import { unreadableUpload } from './uploadfiles-getfile.ts';

/** The matrix as it must come out: read against docs/services.md, and changed only together with it. */
export const expected: Record<ActionName, ExpectedCells> = {
  getfile,
  downloadfile,
  bulkdownload,
  uploadfiles,
  'uploadfiles+getfile': unreadableUpload,
  addcomment,
  'addcomment+getfile': unreadableComment,
  checkpackageversion,
  downloadpublication,
  scanfile,
};

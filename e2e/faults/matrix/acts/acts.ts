import type { ActionName } from '../actions.ts';
import type { Act } from './act.ts';
import { addcomment } from './addcomment.ts';
import { bulkdownload } from './bulkdownload.ts';
import { downloadfile } from './downloadfile.ts';
import { getfile } from './getfile.ts';
import { scanfile } from './scanfile.ts';
import { update } from './update.ts';
import { uploadfiles } from './uploadfiles.ts';

export const acts: Record<ActionName, Act> = {
  getfile,
  downloadfile,
  bulkdownload,
  uploadfiles,
  'uploadfiles+getfile': uploadfiles,
  addcomment,
  'addcomment+getfile': addcomment,
  checkpackageversion: update,
  downloadpublication: update,
  scanfile,
};

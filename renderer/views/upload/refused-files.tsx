import { RefusedFiles as Refused } from '../../app/uploads/refused-files.tsx';
import { useUploadDesk } from '../../app/uploads/upload-desk.tsx';
import { text } from './text.ts';

/** What did not come into the draft. */
export function RefusedFiles() {
  return <Refused desk={useUploadDesk()} haltedAfter={text.haltedAfter} />;
}

import { RefusedFiles as Refused } from '../../features/uploads/intake-store.tsx';
import { useUploadStore } from '../../features/uploads/upload-store.tsx';
import { text } from './text.ts';

/** What did not come into the draft. */
export function RefusedFiles() {
  return <Refused store={useUploadStore()} haltedAfter={text.haltedAfter} />;
}

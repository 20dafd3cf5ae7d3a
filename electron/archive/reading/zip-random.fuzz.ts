import fc from 'fast-check';
import { archiveLimits } from '../../../shared/domain/opened-archive.ts';
import { FailureError } from '../../../shared/failure.ts';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { bytesForm } from '../../../shared/testing/input-forms.ts';
import { accessTo } from '../raw-zip.fixture.ts';
import { madeZips, soundZips } from '../zip-inputs.fixture.ts';
import { readZipAt } from './zip-random.ts';

const limits = { ...archiveLimits, members: 4, memberBytes: 100_000, totalBytes: 150_000, expansionFreeBytes: 50_000 };
const kinds = ['archive-truncated', 'archive-damaged', 'archive-limit', 'archive-unsupported'];
const entryKinds = [...kinds, 'archive-password'];

export const target = fuzzTarget({
  name: 'zip-random',
  reads: 'a ZIP file by its directory, with passwords',
  holds: 'no more files and bytes than the limits, no reads outside the file',
  form: bytesForm,
  seeds: soundZips,
  made: fc.oneof(madeZips, fc.uint8Array({ maxLength: 100 })),
  async attack(zip) {
    const given = { members: 0, bytes: 0 };
    await ending(kinds, async () => {
      for await (const part of readZipAt(within(zip), { archiveName: 'a.zip', passwords: ['infected', ''], limits })) {
        given.members += 1;
        if (part.kind === 'refused') continue;
        await ending(entryKinds, async () => {
          for await (const chunk of part.chunks) given.bytes += chunk.length;
        });
      }
    });
    mustHold(given.members <= limits.members, `it gives ${given.members} members`);
    mustHold(given.bytes <= limits.totalBytes + 70_000, `it gives ${given.bytes} bytes`);
  },
});

function within(zip: Uint8Array): ReturnType<typeof accessTo> {
  const access = accessTo(zip);
  return {
    ...access,
    read: async (position, length) => {
      mustHold(
        position >= 0 && length >= 0 && position + length <= zip.length,
        'it reads what does not lie in the file',
      );
      return access.read(position, length);
    },
  };
}

async function ending(allowed: readonly string[], act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    mustHold(allowed.includes(error.failure.kind), `it fails with ${error.failure.kind}`);
  }
}

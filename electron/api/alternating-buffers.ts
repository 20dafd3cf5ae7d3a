import { Buffer } from 'node:buffer';

/** As large as pays: larger ones send no faster, smaller ones wake us more often. */
const bufferBytes = 1024 * 1024;

interface Slot {
  bytes: Buffer;
  filled: number;
  /** Until the connection has taken what was in it. */
  sent: Promise<void>;
}

/** Gathers pieces of any size into large writes: one buffer is filled while the other is being sent. */
export interface AlternatingBuffers {
  /** Takes a copy. Resolves when that is done. */
  add(piece: Uint8Array): Promise<void>;
  /** Resolves when the connection has taken everything. */
  flush(): Promise<void>;
}

/** `send` resolves when the connection has taken the bytes; they are not changed before, and the next are not sent. */
export function createAlternatingBuffers(
  totalBytes: number,
  send: (bytes: Uint8Array) => Promise<void>,
): AlternatingBuffers {
  const newSlot = (): Slot => ({
    bytes: Buffer.allocUnsafeSlow(Math.min(bufferBytes, totalBytes)),
    filled: 0,
    sent: Promise.resolve(),
  });
  let filling = newSlot();
  let other = newSlot();

  const sendFilled = async (): Promise<void> => {
    await other.sent;
    filling.sent = send(filling.bytes.subarray(0, filling.filled));
    // It is waited for when the next one is full, and a failure until then is seen there, and only there.
    filling.sent.catch(() => {});
    [filling, other] = [other, filling];
    filling.filled = 0;
  };
  return {
    add: async (piece) => {
      for (let taken = 0; taken < piece.length;) {
        const part = piece.subarray(taken, taken + filling.bytes.length - filling.filled);
        filling.bytes.set(part, filling.filled);
        filling.filled += part.length;
        taken += part.length;
        if (filling.filled === filling.bytes.length) await sendFilled();
      }
    },
    flush: async () => {
      if (filling.filled > 0) await sendFilled();
      await other.sent;
    },
  };
}

import { expect, test } from 'vitest';
import { failing } from './batch.fixture.ts';
import { ByteRoom } from './byte-room.ts';

/** Names of those who are in, in the order of their coming. */
function queue(room: ByteRoom): {
  in: string[];
  ask(name: string, bytes: number, signal?: AbortSignal): Promise<void>;
} {
  const names: string[] = [];
  return {
    in: names,
    ask: async (name, bytes, signal) => {
      await room.wait(bytes, signal);
      names.push(name);
    },
  };
}

test('whoever does not fit waits for bytes to be given back, and nobody overtakes', async () => {
  const room = new ByteRoom(100);
  const asked = queue(room);
  await asked.ask('first', 60);
  room.take(60);
  const waiting = [asked.ask('large', 80), asked.ask('tiny', 1)];
  await Promise.resolve();
  expect(asked.in).toEqual(['first']);
  room.giveBack(60);
  await Promise.all(waiting);
  expect(asked.in).toEqual(['first', 'large', 'tiny']);
});

test('what is larger than the room gets in alone', async () => {
  const room = new ByteRoom(100);
  await room.wait(1000);
  room.take(1000);
  const next = queue(room);
  const waiting = next.ask('next', 1);
  expect(next.in).toEqual([]);
  room.giveBack(1000);
  await waiting;
  expect(next.in).toEqual(['next']);
});

test('whoever is told to stop goes, and those behind move up', async () => {
  const room = new ByteRoom(100);
  room.take(50);
  const stop = new AbortController();
  const large = room.wait(90, stop.signal);
  const small = room.wait(10);
  stop.abort();
  await expect(large).rejects.toMatchObject(failing('cancelled'));
  await small;
  await expect(room.wait(1, stop.signal)).rejects.toMatchObject(failing('cancelled'));
});

test('when it closes nobody waits any more', async () => {
  const room = new ByteRoom(100);
  room.take(100);
  const waiting = room.wait(1);
  room.close();
  await expect(waiting).rejects.toMatchObject(failing('cancelled'));
  await expect(room.wait(1)).rejects.toMatchObject(failing('cancelled'));
});

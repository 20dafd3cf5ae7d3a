import { expect, test } from 'vitest';
import { CallReader, type DurableCall, nameOf } from './durable-call.ts';
import { outOfOrder, outOfOrderBut } from './sync-order.ts';

const sha256 = 'a1'.repeat(32);
const id = 'b2'.repeat(16);

/** Names of the calls in a log. */
function namesIn(...lines: string[]): string[] {
  const reader = new CallReader();
  return lines.flatMap((line) => {
    const read = reader.read(line);
    return read === null ? [] : [nameOf(read.call, '/desk')];
  });
}

test('the trace reader lists successful calls by their targets', () => {
  expect(
    namesIn(
      `71 write(32</desk/vault/incoming/${id}.part>, ""..., 248) = 248`,
      `72 fsync(32</desk/vault/incoming/${id}.part>) = 0`,
      '73 mkdir("/desk/vault/a1", 0700) = 0',
      `72 rename("/desk/vault/incoming/${id}.part", "/desk/vault/a1/${sha256}") = 0`,
      '72 copy_file_range(5</desk/from>, NULL, 6</desk/to>, NULL, 10, 0) = 10',
      '72 rename("/desk/none", "/desk/some") = -1 ENOENT (No such file or directory)',
      '71 --- SIGSTOP {si_signo=SIGSTOP, si_code=SI_KERNEL} ---',
      '71 +++ killed by SIGKILL +++',
    ),
  ).toEqual([
    'write vault/incoming/ID.part',
    'sync vault/incoming/ID.part',
    'make vault/AB',
    'rename vault/incoming/ID.part → vault/AB/SHA256',
    'write to',
  ]);
});

test('the trace reader lists an interleaved call when it ends', () => {
  expect(
    namesIn(
      '71 fsync(32</desk/one> <unfinished ...>',
      '72 fsync(33</desk/two>) = 0',
      '71 <... fsync resumed>) = 0',
      '73 fsync(34</desk/three> <unfinished ...>',
      '73 <... fsync resumed>) = ?',
    ),
  ).toEqual(['sync two', 'sync one']);
});

const callsIn = (lines: readonly string[]): DurableCall[] => {
  const reader = new CallReader();
  return lines.flatMap((line) => reader.read(line)?.call ?? []);
};

test('the trace reader counts a write to a service as a request, and a reply to a local client as none', () => {
  const verbs = callsIn([
    '71 write(24<socket:[9602188]>, ""..., 124) = 124',
    '71 connect(23<socket:[9602186]>, {sa_family=AF_INET, sin_port=htons(45225), ' +
      'sin_addr=inet_addr("127.0.0.1")}, 16) = -1 EINPROGRESS (Operation now in progress)',
    '71 writev(23<socket:[9602186]>, [...], 2) = 233',
  ]).map(({ verb }) => verb);
  expect(verbs).toEqual(['write', 'ask']);
});

const orderOf = (...lines: string[]): string[] => outOfOrder(callsIn(lines), '/desk');

const [written, synced, renamed, folderSynced] = [
  '1 write(3</desk/a.part>, ""..., 1) = 1',
  '1 fsync(3</desk/a.part>) = 0',
  '1 rename("/desk/a.part", "/desk/b/c") = 0',
  '1 fsync(4</desk/b>) = 0',
];

test('the order check accepts a synced file that is renamed before its folder is synced', () => {
  expect(orderOf(written, synced, renamed, folderSynced)).toEqual([]);
  expect(orderOf(written, renamed, folderSynced)).toEqual(['a.part got its name before it was synced']);
  expect(orderOf(written, synced, written, renamed, folderSynced)).toEqual([
    'a.part got its name before it was synced',
  ]);
  expect(orderOf(written, synced, renamed)).toEqual(['the folder of b/c was not synced']);
  expect(orderOf(written, synced, folderSynced, renamed)).toEqual(['the folder of b/c was not synced']);
});

test('the order check needs no sync before the rename of a file that is removed by the end', () => {
  const removed = '1 unlink("/desk/b/c") = 0';
  expect(orderOf(written, renamed, removed)).toEqual([]);
  expect(orderOf(written, renamed, removed, written, renamed, folderSynced)).toEqual([
    'a.part got its name before it was synced',
  ]);
});

test('the order check also requires a sync before a file gets a second name', () => {
  const [linked, removed] = ['1 link("/desk/a.part", "/desk/b/c") = 0', '1 unlink("/desk/a.part") = 0'];
  expect(orderOf(written, synced, linked, removed, folderSynced)).toEqual([]);
  expect(orderOf(written, linked, synced, removed, folderSynced)).toEqual(['a.part got its name before it was synced']);
  expect(orderOf(written, synced, linked, removed)).toEqual(['the folder of b/c was not synced']);
});

test('the order check reports an unsynced write and a new folder, unless they were removed', () => {
  expect(orderOf(written, '1 mkdir("/desk/new", 0700) = 0')).toEqual([
    'a.part was written and not synced',
    'the folder of new was not synced',
  ]);
  expect(
    orderOf(written, '1 unlink("/desk/a.part") = 0', '1 mkdir("/desk/new", 0700) = 0', '1 rmdir("/desk/new") = 0'),
  ).toEqual([]);
});

test('an allowed exception covers only writes after the last call of its name', () => {
  const removed = '1 unlink("/desk/kept") = 0';
  const orderBut = (...lines: string[]): string[] =>
    outOfOrderBut(
      { words: 'a.part was written and not synced', behind: 'remove kept', times: 1 },
      callsIn(lines),
      '/desk',
    );
  expect(orderBut(written, synced, removed, written)).toEqual([]);
  expect(orderBut(written, removed, written)).toEqual(['a.part was written and not synced before "remove kept"']);
  expect(orderBut(written, synced, removed, written, '1 mkdir("/desk/new", 0700) = 0')).toEqual([
    'the folder of new was not synced',
  ]);
  expect(orderBut(written)).toEqual(['"remove kept" came 0 times, and should have come 1 times']);
});

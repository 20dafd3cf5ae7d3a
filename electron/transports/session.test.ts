import { describe, expect, test } from 'vitest';
import { secretPattern } from '../../shared/transport.ts';
import { Sessions } from './session.ts';

/** A session key, as the opener of a new link gets it. */
function open(sessions: Sessions): string {
  return sessions.swap(sessions.newLink()) ?? expect.fail('a fresh link was refused');
}

describe('a link', () => {
  test('is exchanged for a session key that is accepted', () => {
    const sessions = new Sessions();
    expect(sessions.accepts(open(sessions))).toBe(true);
  });

  test('works once', () => {
    const sessions = new Sessions();
    const secret = sessions.newLink();
    expect(sessions.swap(secret)).toMatch(secretPattern);
    expect(sessions.swap(secret)).toBeNull();
  });

  test('is no session key, and a session key is no link', () => {
    const sessions = new Sessions();
    const secret = sessions.newLink();
    expect(sessions.accepts(secret)).toBe(false);
    expect(sessions.swap(open(sessions))).toBeNull();
  });

  test('stays valid when another is created or used', () => {
    const sessions = new Sessions();
    const first = sessions.newLink();
    open(sessions);
    expect(sessions.swap(first)).not.toBeNull();
  });

  test('has 256 bits that are never the same', () => {
    const sessions = new Sessions();
    const secrets = Array.from({ length: 100 }, () => sessions.newLink());
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  });
});

test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(100_000), '__proto__'])(
  'a made-up secret is neither a link nor a key (case %#)',
  (secret) => {
    const sessions = new Sessions();
    open(sessions);
    sessions.newLink();
    expect(sessions.swap(secret)).toBeNull();
    expect(sessions.accepts(secret)).toBe(false);
  },
);

test('a key of an earlier host start is refused', () => {
  expect(new Sessions().accepts(open(new Sessions()))).toBe(false);
});

test('only the newest links are valid', () => {
  const sessions = new Sessions({ links: 2, sessions: 2 });
  const [oldest, ...newer] = [sessions.newLink(), sessions.newLink(), sessions.newLink()];
  expect(sessions.swap(oldest)).toBeNull();
  for (const secret of newer) expect(sessions.swap(secret)).not.toBeNull();
});

test('only the newest sessions are valid', () => {
  const sessions = new Sessions({ links: 2, sessions: 2 });
  const [oldest, ...newer] = [open(sessions), open(sessions), open(sessions)];
  expect(sessions.accepts(oldest)).toBe(false);
  for (const key of newer) expect(sessions.accepts(key)).toBe(true);
});

test('a dump of the object shows no secret', () => {
  const sessions = new Sessions();
  const secret = sessions.newLink();
  expect(JSON.stringify(sessions)).not.toContain(secret);
});

import { recordRestore } from '../backup/database-copy.ts';
import type { Database } from '../database/database.ts';
import type { TokenStore } from '../tokens/token-store.ts';
import { durableKeyFrom, JournalKeys, newDurableKey } from './journal-chain.ts';
import { Journal } from './journal.ts';

type KeyPlace = Pick<TokenStore, 'state' | 'get' | 'set' | 'onChange'>;
const keyName = 'journal-key';

/**
 * Opens the journal and keeps its durable key in step with the token store: taken from there when it is durable and
 * open, made at the first time. A token store that does not answer costs the seal, never the journal: `report` hears
 * of it, and rows are linked only.
 */
export async function openJournal(db: Database, tokens: KeyPlace, report: (error: unknown) => void): Promise<Journal> {
  const journal = new Journal(db, new JournalKeys(db));
  let turn = Promise.resolve();
  const follow = (): Promise<void> => (turn = turn.then(() => takeDurableKey(journal, tokens)).catch(report));
  tokens.onChange(() => void follow());
  await follow();
  recordRestore(db, journal);
  return journal;
}

async function takeDurableKey(journal: Journal, tokens: KeyPlace): Promise<void> {
  const { store, state } = tokens.state();
  if (store === 'memory' || state !== 'open')
    return journal.loseDurableKey(state === 'locked' ? 'locked' : 'key-missing');
  const stored = await tokens.get(keyName);
  if (stored !== null) return journal.useDurableKey(durableKeyFrom(Buffer.from(stored, 'hex')), false);
  await makeDurableKey(journal, tokens);
}

/**
 * The row before the key: a crash in between leaves a row sealed with a key that is gone, which the next key seals
 * over. The other way round it would leave a key without its end, which is what a journal cut off looks like.
 */
async function makeDurableKey(journal: Journal, tokens: KeyPlace): Promise<void> {
  const key = newDurableKey();
  journal.useDurableKey(key, true);
  try {
    await tokens.set(keyName, Buffer.from(key.bytes).toString('hex'));
  } catch (error) {
    journal.loseDurableKey('key-missing');
    throw error;
  }
}

import { attack } from './attack.ts';
import { attackOrder } from './attack-words.ts';
import { readCorpus } from './corpus.ts';
import { loadTarget } from './targets.ts';

/** The process that attacks one reader: `attacker.ts ORDER`, an order in JSON. */
const order = attackOrder.parse(JSON.parse(process.argv[2] ?? ''));
await attack(await loadTarget(order.name), readCorpus(order.name), order);

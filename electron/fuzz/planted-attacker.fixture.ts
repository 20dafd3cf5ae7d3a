import { attack } from './attack.ts';
import { attackOrder } from './attack-words.ts';
import { plantedTarget } from './planted.fixture.ts';

/** As `attacker.ts`, of a reader that has a fault. */
const order = attackOrder.parse(JSON.parse(process.argv[2] ?? ''));
await attack(plantedTarget(order.name), [{ why: 'sound', input: 'abc' }], order);

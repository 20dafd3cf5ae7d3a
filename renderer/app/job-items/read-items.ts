import type { JobItem } from '../../../shared/domain/job.ts';
import { type Result, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import type { ItemQuestion } from './use-item-windows.ts';

const atOnce = 1000;

/** All items of a question that are meant, read window by window; `most` ends the reading early. */
export async function readItems(
  bridge: Bridge<File>,
  question: ItemQuestion,
  isMeant: (item: JobItem) => boolean,
  most = Infinity,
): Promise<Result<JobItem[]>> {
  const found: JobItem[] = [];
  for (let offset = 0; found.length < most; offset += atOnce) {
    const answer = await bridge.call('jobs.items', { ...question, offset, limit: atOnce });
    if (!answer.ok) return answer;
    found.push(...answer.value.items.filter(isMeant));
    if (offset + atOnce >= answer.value.total || answer.value.items.length === 0) break;
  }
  return success(found);
}

/** The positions of a stretch of items, both ends included. */
export async function readPositions(
  bridge: Bridge<File>,
  question: ItemQuestion,
  first: number,
  last: number,
): Promise<number[]> {
  const positions: number[] = [];
  for (let offset = first; offset <= last; offset += atOnce) {
    const answer = await bridge.call('jobs.items', { ...question, offset, limit: Math.min(atOnce, last - offset + 1) });
    if (!answer.ok) break;
    positions.push(...answer.value.items.map(({ position }) => position));
  }
  return positions;
}

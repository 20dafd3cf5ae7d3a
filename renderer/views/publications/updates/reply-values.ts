import { json, type Json } from '../../../../shared/domain/sample.ts';
import { isBranch } from '../../../components/json-rows.ts';

/** A value in a reply, and the JSON Pointer (RFC 6901) that leads to it. */
export interface ReplyValue {
  pointer: string;
  value: string | number | boolean | null;
}

/** A list to choose from is read by a person; a hostile reply holds more. */
const mostValues = 200;
const deepest = 16;
/** JSON Pointers of a mapping are no longer. */
const longestPointer = 500;

/** null: the reply is no JSON, or was cut. */
export function readReply(text: string): Json | null {
  try {
    const read = json.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** In the order in which the reply has them. */
export function valuesOf(reply: Json): ReplyValue[] {
  const values: ReplyValue[] = [];
  const open: { pointer: string; value: Json; depth: number }[] = [{ pointer: '', value: reply, depth: 0 }];
  for (let next = open.pop(); next !== undefined && values.length < mostValues; next = open.pop()) {
    const { pointer, value, depth } = next;
    if (!isBranch(value)) values.push({ pointer, value });
    else if (depth < deepest)
      open.push(
        ...entriesOf(value, pointer)
          .map(([at, inner]) => ({ pointer: at, value: inner, depth: depth + 1 }))
          .toReversed(),
      );
  }
  return values;
}

function entriesOf(branch: Json[] | { [key: string]: Json }, pointer: string): [string, Json][] {
  return Object.entries(branch)
    .slice(0, mostValues)
    .map(([name, value]): [string, Json] => [`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, value])
    .filter(([at]) => at.length <= longestPointer);
}

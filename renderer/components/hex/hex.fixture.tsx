import type { ReactNode } from 'react';
import type { OperationInput, OperationName } from '../../../shared/contract.ts';
import { type ByteSource, mostBytesARead } from '../../../shared/domain/byte-view.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { failed, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { BridgeProvider } from '../../bridge/bridge-context.tsx';

export const source: ByteSource = { kind: 'scan', jobId: 7, position: 1 };

export interface FakeFile {
  sizeBytes: number;
  byteAt(offset: number): number;
  /** Where a search leads; waited for. */
  find?: (input: OperationInput<'bytes.find'>) => Promise<number | null>;
  map?: string;
}

/** A host that has one file, or reports why it has not. */
export function hexHost(file: FakeFile) {
  const asked: { name: OperationName; input: unknown }[] = [];
  const host: { failure: Failure | null } = { failure: null };
  const read = ({ window: { offset, length } }: OperationInput<'bytes.read'>) => {
    if (length > mostBytesARead) throw new Error('more than the contract allows');
    const bytes = Array.from({ length: Math.max(0, Math.min(length, file.sizeBytes - offset)) }, (_, at) =>
      String.fromCharCode(file.byteAt(offset + at)),
    );
    return { offset, base64: btoa(bytes.join('')), sizeBytes: file.sizeBytes };
  };
  const answers: Partial<Record<string, (input: never) => unknown>> = {
    'bytes.read': read,
    'bytes.find': async (input: OperationInput<'bytes.find'>) => ({ offset: (await file.find?.(input)) ?? null }),
    'bytes.stopFind': () => ({}),
    'bytes.map': () => ({ sizeBytes: file.sizeBytes, parts: file.map ?? '' }),
  };
  const bridge = {
    call: async (name: OperationName, input: unknown) => {
      asked.push({ name, input });
      return host.failure === null ? success(await answers[name]?.(input as never)) : failed(host.failure);
    },
    subscribe: () => () => {},
    stageFile: async () => failed({ kind: 'host-gone' }),
  } as Bridge<File>;
  const inputsOf = (name: OperationName): unknown[] =>
    asked.filter((call) => call.name === name).map(({ input }) => input);
  return {
    host,
    inputsOf,
    wrapper: ({ children }: { children: ReactNode }) => <BridgeProvider bridge={bridge}>{children}</BridgeProvider>,
  };
}

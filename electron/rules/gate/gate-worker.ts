import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../../base/workers.ts';
import { loadEngine } from '../engine/yara-compiler.ts';
import { findUnknownModules, PieceCompiler } from './compile-pieces.ts';
import type { FromGateThread, GateBegin, GateTask, ToGateThread } from './gate-messages.ts';

/**
 * Compiles rules. An error that is no verdict on a rule ends it, which its owner sees, and so may its owner at any
 * time.
 */
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
lowerPriority();

let compiler: PieceCompiler | null = null;

function begin({ module, signs, modules, variables }: GateBegin): FromGateThread {
  const sign = (piece: number): void => {
    Atomics.store(signs, 1, piece);
    Atomics.add(signs, 0, 1);
  };
  loadEngine(module);
  compiler = new PieceCompiler(variables, sign);
  return { kind: 'ready', unknown: findUnknownModules(modules) };
}

function compile(task: GateTask): FromGateThread {
  if (compiler === null) throw new Error('a task before the beginning');
  return { kind: 'compiled', ...compiler.compile(task) };
}

port.on('message', (message: ToGateThread) =>
  port.postMessage(message.kind === 'begin' ? begin(message.begin) : compile(message.task)),
);

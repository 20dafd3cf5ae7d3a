import { useRef } from 'react';
import type { OperationInput, OperationOutput } from '../../../shared/contract.ts';
import type { PreparedCase } from '../../../shared/domain/case.ts';
import type { Job } from '../../../shared/domain/job.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { valueOf } from '../../bridge/value-of.ts';
import { useToast } from '../../components/toasts.tsx';
import { useOfferedQuestion } from '../../state/app-dialogs.tsx';
import { useNoteJob } from '../../state/jobs.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { type ToldAction, useToldWork } from '../../state/reported-action.ts';
import { text as shellText } from '../../state/strings.ts';
import { ReadyCases } from './ready-cases.tsx';
import { text } from './strings.ts';

/** Both ways out of a case, in each of its formats. What became of it is told wherever one is by then. */
export function useCases(onClose: () => void) {
  const offer = useOfferedQuestion();
  const tellStarted = useStartedJobs();
  const start = useEach('cases.start', { lost: text.notMade, onClose, tell: tellStarted });
  const prepare = useEach('cases.prepare', {
    lost: text.notMade,
    tell: (prepared: readonly PreparedCase[], isHere) => {
      if (!isHere)
        offer({
          draw: (close) => <ReadyCases prepared={prepared} onClose={close} />,
          words: text.ready,
          verb: text.save,
        });
    },
  });
  return { start, prepare };
}

/** One after the other. What was begun before one failed goes on: the next try with the same input begins behind it. */
function useEach<N extends 'cases.start' | 'cases.prepare'>(name: N, told: ToldAction<readonly OperationOutput<N>[]>) {
  const bridge = useBridge();
  const done = useRef(new Map<string, OperationOutput<N>>());
  return useToldWork(
    name,
    async (inputs: readonly OperationInput<N>[]) => {
      const outputs: OperationOutput<N>[] = [];
      for (const input of inputs) {
        const key = JSON.stringify(input);
        const output = done.current.get(key) ?? (await valueOf(bridge.call(name, input)));
        done.current.set(key, output);
        outputs.push(output);
      }
      done.current.clear();
      return outputs;
    },
    told,
  );
}

function useStartedJobs(): (jobs: readonly Job[]) => void {
  const toast = useToast();
  const noteJob = useNoteJob();
  const { openJob } = useNavigation();
  return (jobs) => {
    const [first, last] = [jobs[0], jobs.at(-1)];
    if (first === undefined || last === undefined) return;
    for (const job of jobs) noteJob(job);
    const words = first === last ? text.started(first.id) : text.startedAll(first.id, last.id);
    toast({ meaning: 'info', text: words, action: { text: shellText.showJob, act: () => openJob(first.id) } });
  };
}

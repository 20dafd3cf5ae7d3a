import {
  defaultFrontDraft,
  defaultProxy,
  defaultRepositoryOptions,
  type WorkspaceDraft,
} from '../../../shared/domain/workspace.ts';
import { type ActionName, isOfRuleEditor } from './actions.ts';
import { type ActScene, must } from './acts/act.ts';
import { acts } from './acts/acts.ts';
import { cellSample } from './cell-sample.ts';
import type { ExpectedCell } from './expected-cell.ts';
import type { FaultHost } from './fault-host.ts';
import type { FaultName } from './faults.ts';
import { askedPause } from './reply-faults.ts';
import { type FaultyService, unusedAddress, startFaultyService } from './faulty-service.ts';
import { failureWords, requestWords, sentenceWords } from './seen-words.ts';
import type { Certificates } from './throw-away-certificates.ts';

export interface CellName {
  action: ActionName;
  fault: FaultName;
}

/** What was seen of one action with one fault. */
export interface SeenCell extends ExpectedCell {
  sentence: string;
}

/** What every token of the matrix begins with. */
export const tokenWords = 'faults-token';
/** Short enough for a run, and long enough for a machine that has other things to do. */
const timeouts = { connectSeconds: 20, firstByteSeconds: 60, idleSeconds: 10 };

/** Does one action with one fault, and once more without it. Rejects when something is not as it must always be. */
export async function runCell(vitrine: FaultHost, certificates: Certificates, name: CellName): Promise<SeenCell> {
  const act = acts[name.action];
  const samples = act.sampleBytes.map((sizeBytes, index) =>
    cellSample(`${name.action} ${name.fault} ${index}`, sizeBytes),
  );
  const service = await startFaultyService({ ...name, samples: act.areAtService ? samples : [], certificates });
  try {
    let workspace = await vitrine.call('workspaces.add', workspaceFor(name, service.baseUrl, certificates));
    const { id: workspaceId } = workspace;
    const scene = { vitrine, workspaceId, service, samples };
    const moveTo = async (baseUrl: string): Promise<void> => {
      workspace = await vitrine.call('workspaces.edit', {
        id: workspaceId,
        draft: workspaceFor(name, baseUrl, certificates),
        basedOn: workspace,
      });
    };
    return await runScene(scene, service, name, moveTo);
  } finally {
    await service.close();
  }
}

async function runScene(
  scene: ActScene,
  service: FaultyService,
  { action, fault }: CellName,
  moveTo: (baseUrl: string) => Promise<void>,
): Promise<SeenCell> {
  const act = acts[action];
  // Of an update the first call must be answered: there a redirect leads to that name.
  const hasMoved = fault === 'dns-failure' && action !== 'downloadpublication';
  await act.prepare?.(scene);
  service.begin();
  if (hasMoved) await moveTo(unusedAddress);
  const { state, failure } = await act.does(scene);
  const kept = await act.kept(scene, { state, failure });
  const seen = {
    ends: state,
    failure: failureWords(failure),
    requests: requestWords(service.requests),
    kept,
    sentence: sentenceWords(failure),
  };
  must(service.leaked.length === 0, `another server got ${service.leaked.join(', ')}`);
  must(
    service.hasty.length === 0,
    `it was asked again after ${service.hasty.join(' and ')} ms, and had asked for ${askedPause} s`,
  );
  await service.end();
  if (hasMoved) await moveTo(service.baseUrl);
  const again = await act.doesAgain(scene, { state, failure });
  const keptAtLast = await act.kept(scene, again);
  must(
    keptAtLast === act.wholeKept,
    `a sound call afterwards ends "${again.state}" (${failureWords(again.failure)}), and ${keptAtLast} is kept`,
  );
  return seen;
}

function workspaceFor({ action, fault }: CellName, baseUrl: string, { authority }: Certificates): WorkspaceDraft {
  const service = { baseUrl, token: { kind: 'set' as const, token: `${tokenWords}-${action}-${fault}` } };
  return {
    name: `${action}, ${fault}`,
    repository: isOfRuleEditor(action) ? null : service,
    ruleEditor: isOfRuleEditor(action) ? service : null,
    allowHttp: true,
    trust: { kind: 'authority', pem: authority.cert },
    timeouts,
    options: defaultRepositoryOptions,
    proxy: defaultProxy,
    front: defaultFrontDraft,
  };
}

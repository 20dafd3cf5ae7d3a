import { createServer, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '../faults/loopback-server.ts';
import { packed, ruleText } from '../rule-package.ts';

/** A rule editor that is as quick as can be: what it has lies ready. */
export interface RulePublisher {
  baseUrl: string;
  /** How often it was asked for its latest version. */
  readonly checks: number;
  publish(release: number, rules: number): Promise<void>;
  close(): void;
}

export async function startRulePublisher(): Promise<RulePublisher> {
  let [checks, latest] = [0, ''];
  let body: Buffer = Buffer.alloc(0);
  const server = createServer(({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://127.0.0.1');
    if (searchParams.get('action') === 'downloadpublication') {
      response.writeHead(200, { 'content-length': body.length }).end(body);
      return;
    }
    checks += 1;
    reportLatest(response, latest, searchParams.get('version'));
  });
  const baseUrl = await listenOnLoopback(server);
  return {
    baseUrl,
    get checks() {
      return checks;
    },
    publish: async (release, rules) => {
      const version = `${release}.0`;
      const text = Array.from({ length: rules }, (_, number) =>
        ruleText(`rule_${number}`, `word ${release} ${number}`),
      ).join('\n');
      body = await packed({ 'rules.yar': text }, { version });
      latest = version;
    },
    close: () => server.close().closeAllConnections(),
  };
}

const reportLatest = (response: ServerResponse, latest: string, installed: string | null): void =>
  void response.end(JSON.stringify({ outdated: latest !== installed, last_version: latest, id: latest }));

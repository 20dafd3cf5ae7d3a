/** Sites a page of ours may link to. Exact host names: a sub-domain may belong to someone else. */
const allowedHosts: readonly string[] = ['virustotal.github.io', 'yara.readthedocs.io'];

export interface LinkPorts {
  /** Asks the person, showing the whole address. */
  confirm(address: string): Promise<boolean>;
  openExternal(address: string): Promise<void>;
}

/**
 * Opens a link in the person's browser: https, an allowed host, no user name or port, and only after they say yes.
 * Text from a service never gets here as a link; were it to, this list is what stops it. Answers whether it opened.
 */
export async function openLink(address: string, { confirm, openExternal }: LinkPorts): Promise<boolean> {
  const url = URL.parse(address);
  if (url === null || !isAllowed(url) || !(await confirm(url.href))) return false;
  await openExternal(url.href);
  return true;
}

function isAllowed({ protocol, hostname, port, username, password }: URL): boolean {
  return protocol === 'https:' && port === '' && username === '' && password === '' && allowedHosts.includes(hostname);
}

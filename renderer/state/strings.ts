/** English of what every view shares. */
export const text = {
  showJob: 'Show',
  switched: (name: string) => `Switched to ${name}`,
  noWorkspace: 'this computer',
  removedWorkspace: 'a removed workspace',
  startLab: 'Start lab',
  startingLab: 'Starting lab…',
  close: 'Close',
  notLoaded: {
    title: 'This view could not be loaded',
    then: 'Vitrine may have stopped. Saved data is safe.',
  },
  leaveForm: { title: 'Discard changes?', stay: 'Keep editing', leave: 'Discard' },
  partNotLoaded: 'This part could not be loaded. Reload the page.',
  dialogNotLoaded: 'The dialog could not be loaded',
  openAgain: 'Reload view',
  openWorkspaces: 'Open workspaces',
  openTokens: 'Open tokens',
  openUpdates: 'Show updates',
  openScanSettings: 'Open scan settings',
} as const;

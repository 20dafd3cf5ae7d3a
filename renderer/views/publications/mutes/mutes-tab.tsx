/** To be filled. */
export function MutesTab({ workspaceId }: { workspaceId: string }) {
  return <div data-tab={workspaceId} />;
}

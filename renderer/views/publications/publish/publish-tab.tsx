/** To be filled. */
export function PublishTab({ workspaceId }: { workspaceId: string }) {
  return <div data-tab={workspaceId} />;
}

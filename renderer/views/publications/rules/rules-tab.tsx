/** To be filled. */
export function RulesTab({ workspaceId }: { workspaceId: string }) {
  return <div data-tab={workspaceId} />;
}

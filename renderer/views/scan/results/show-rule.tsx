import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button } from '../../../components/button.tsx';
import { usePublicationsPlace } from '../../../features/publications/publications-place.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { text } from './text.ts';

/** To the rule among those of the active package, found by its name. */
export function ShowRule({ workspaceId, rule }: { workspaceId: string; rule: string }) {
  const { openPublications } = useNavigation();
  const [, note] = usePublicationsPlace(workspaceId);
  const show = (): void => {
    note({ find: rule, chosen: null });
    openPublications('rules');
  };
  return (
    <Button size="small" look="inline" aria-label={text.showRuleOf(visibleText(rule))} onPress={show}>
      {text.showRule}
    </Button>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../../../bridge/use-action.ts';
import { Button } from '../../../components/button.tsx';
import { sizeWords } from '../../../components/byte-words.ts';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import settings from '../settings.module.css';
import { text } from './text.ts';

/** Gives back the room of what nobody needs any more, and says how much it was. */
export function CleanUp({ unusedBytes }: { unusedBytes: number }) {
  const client = useQueryClient();
  const { mutate, isPending, data, error } = useAction('storage.cleanUp');
  const clean = (): void =>
    mutate({}, { onSuccess: () => void client.invalidateQueries({ queryKey: ['storage.state'] }) });
  return (
    <section className={classNames(layout.stack8, settings.group)} aria-labelledby="clean-up">
      <h3 id="clean-up" className={settings.groupTitle}>
        {text.cleanUp}
      </h3>
      <p className={typography.sentence}>
        {text.cleanUpSentence} {unusedBytes > 0 ? text.givesBack(sizeWords(unusedBytes)) : text.nothingUnused}
      </p>
      <div>
        <Button isPending={isPending} onPress={clean}>
          {isPending ? text.cleaning : text.cleanUp}
        </Button>
      </div>
      {data !== undefined && (
        <p className={classNames(layout.wrapRow, typography.sentence)} role="status">
          {data.freedBytes > 0 ? text.gaveBack(sizeWords(data.freedBytes)) : text.gaveNothing}
        </p>
      )}
      {error && <FailureNotice failure={error} retry={{ name: 'storage.cleanUp', input: {} }} onRetry={clean} />}
    </section>
  );
}

import { useState } from 'react';
import type { RuleView } from '../../../../shared/domain/publication.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button } from '../../../components/button.tsx';
import { LongText } from '../../../components/long-text.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import styles from './rules.module.css';
import { text } from './text.ts';

/** The source below is what one came for, and says them all again. */
const shownAtFirst = 6;
const charactersShown = 200;

/** What the rule says of itself, in its author's words. */
export function RuleMeta({ meta }: { meta: RuleView['meta'] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? meta : meta.slice(0, shownAtFirst);
  const rest = meta.length - shown.length;
  return (
    <div>
      <dl aria-label={text.meta}>
        {shown.map(({ key, value }, at) => (
          <div key={`${at}:${key}`} className={classNames(layout.grid12, styles.fact)}>
            <dt>{visibleText(key)}</dt>
            <dd>
              <bdi>
                <LongText text={visibleText(value)} charactersShown={charactersShown} />
              </bdi>
            </dd>
          </div>
        ))}
      </dl>
      {rest > 0 && (
        <Button size="small" look="inline" onPress={() => setWhole(true)}>
          {text.moreMeta(rest)}
        </Button>
      )}
    </div>
  );
}

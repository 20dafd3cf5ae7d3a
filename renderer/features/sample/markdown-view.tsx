import { createElement, Fragment, type ReactNode, useMemo, useState } from 'react';
import { assertNever } from '../../../shared/assert-never.ts';
import { defang } from '../../../shared/domain/defang.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { CopyIcon } from '../../components/copy-button.tsx';
import { cutMiddle } from '../../components/format.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { type MarkdownNode, type MarkdownTag, markdownTree } from './markdown-tree.ts';
import styles from './markdown.module.css';
import { text } from './strings.ts';

/** As much as is read and drawn within one frame or two. */
const charactersShown = 20_000;
const longestAddress = 80;

/**
 * Markdown as elements of this page, and nothing else: what was written is never HTML, never loaded, and no address in
 * it can be followed. Addresses are shown defanged and copied as they are.
 */
export function MarkdownView({ source }: { source: string }) {
  const [whole, setWhole] = useState(false);
  const isLong = !whole && source.length > charactersShown;
  const { nodes, isCut, isTooDeep } = useMemo(
    () => markdownTree(isLong ? source.slice(0, charactersShown) : source),
    [source, isLong],
  );
  return (
    <div className={classNames(layout.stack8, styles.markdown)} dir="auto">
      <Nodes nodes={nodes} />
      {isLong && (
        <p>
          <Button size="small" look="quiet" onPress={() => setWhole(true)}>
            {text.noteWhole(source.length)}
          </Button>
        </p>
      )}
      {!isLong && isCut && <p className={typography.aside}>{text.noteCut}</p>}
      {isTooDeep && <p className={typography.aside}>{text.noteDeep}</p>}
    </div>
  );
}

function Nodes({ nodes }: { nodes: readonly MarkdownNode[] }) {
  return nodes.map((node, at) => <Fragment key={at}>{drawn(node)}</Fragment>);
}

function drawn(node: MarkdownNode): ReactNode {
  switch (node.kind) {
    case 'text':
      return defang(visibleText(node.text));
    case 'code':
      return <code className={styles.code}>{visibleText(node.text)}</code>;
    case 'block':
      return (
        // It scrolls, and must be scrolled by the keyboard, too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre className={styles.block} tabIndex={0}>
          <code>{visibleText(node.text)}</code>
        </pre>
      );
    case 'break':
      return <br />;
    case 'rule':
      return <hr className={styles.rule} />;
    case 'link':
      return (
        <>
          <Nodes nodes={node.children} /> <Address address={node.address} />
        </>
      );
    case 'picture':
      return (
        <>
          {text.picture} <bdi>{defang(visibleText(node.text))}</bdi> <Address address={node.address} />
        </>
      );
    case 'element':
      return createElement(elementOf(node.tag), null, <Nodes nodes={node.children} />);
    default:
      return assertNever(node);
  }
}

/** Below the title of its part: the headings of a note are none of the page's first ones. */
function elementOf(tag: MarkdownTag): MarkdownTag {
  if (tag === 'h1') return 'h4';
  if (tag === 'h2') return 'h5';
  return tag === 'h3' || tag === 'h4' || tag === 'h5' ? 'h6' : tag;
}

function Address({ address }: { address: string }) {
  const shown = defang(visibleText(cutMiddle(address, longestAddress)));
  return (
    <span className={classNames(typography.faint, styles.address)}>
      (
      <code>
        <bdi>{shown}</bdi>
      </code>
      )
      <CopyIcon text={address} label={text.copyAddress} />
    </span>
  );
}

import { Component, type ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Notice } from '../components/notice.tsx';
import styles from './shell.module.css';
import { text } from './text.ts';

interface Props {
  children: ReactNode;
}
interface State {
  error: Error | null;
}

/** A defect in a view stays in that view: the rest of the page works on. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <div className={styles.crashed}>
        <Notice
          meaning="bad"
          title={text.crashed}
          isAlert
          actions={
            <>
              <Button size="small" onPress={() => this.setState({ error: null })}>{text.openAgain}</Button>
              <CopyButton text={() => error.stack ?? error.message} label={text.copyDetails} />
            </>
          }
        >
          {text.crashedThen}
        </Notice>
      </div>
    );
  }
}

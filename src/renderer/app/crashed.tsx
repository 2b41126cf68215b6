import { Component, type ErrorInfo, type ReactNode } from 'react';
import { ErrorNote } from '../ui/error-note.tsx';

interface State {
  readonly error: Error | undefined;
}

/** A page that broke takes nothing else with it. */
export class Crashed extends Component<{ readonly children: ReactNode }, State> {
  override readonly state: State = { error: undefined };

  static getDerivedStateFromError(thrown: unknown): State {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="mx-auto w-full max-w-(--column) p-6">
        <ErrorNote
          what="This page broke." means="It is our mistake. Your chats and servers are not affected." detail={error.stack ?? error.message}
          action={{ label: 'Show it again', onPress: () => this.setState({ error: undefined }) }}
        />
      </div>
    );
  }
}

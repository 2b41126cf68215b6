import { channels, type CommandAction, type StateMessage } from '../../shared/ipc/channels.ts';
import type { PageHost } from './pages.ts';

/** Passes what a person chose in a menu, the tray or a notification to the page, once that listens. */
export class Commands {
  readonly #waiting = new Map<number, CommandAction>();
  readonly #listening: (hostId: number) => boolean;

  constructor(listening: (hostId: number) => boolean) {
    this.#listening = listening;
  }

  /** Until the page listens, only the last one is kept: that is what the person wants now. */
  send(host: PageHost, action: CommandAction): void {
    if (host.isDestroyed()) return;
    if (!this.#listening(host.id)) this.#waiting.set(host.id, action);
    else host.send(channels.state, [{ topic: 'command', envelope: { seq: 0, action } } satisfies StateMessage]);
  }

  /** The page has begun to speak. */
  flush(host: PageHost): void {
    const action = this.#waiting.get(host.id);
    this.#waiting.delete(host.id);
    if (action) this.send(host, action);
  }
}

/** Loaded before a server that would listen everywhere: it listens on loopback only, on a free port, which it tells its parent. */
import { Server } from 'node:net';

const listen = Reflect.get(Server.prototype, 'listen');
Server.prototype.listen = function listenOnLoopback(...args) {
  const ready = args.find((arg) => typeof arg === 'function');
  return listen.call(this, { port: Number(process.env.PORT ?? 0), host: '127.0.0.1' }, () => {
    process.send?.({ port: this.address().port });
    ready?.();
  });
};
// The parent is gone, or wants this to end.
process.on('disconnect', () => process.exit(0));

import type { ErrorCode } from '../../shared/errors.ts';
import type { Place } from './place.ts';

/** The one thing to do about it. `retry` is whatever failed, once more. */
export type Remedy =
  | { readonly do: 'retry'; readonly label: string }
  | { readonly do: 'go'; readonly label: string; readonly place: Place }
  | { readonly do: 'open-project'; readonly label: string }
  | { readonly do: 'nothing' };
export interface ErrorWords {
  readonly what: string;
  readonly means: string;
  readonly remedy: Remedy;
}
/** Names that make the words exact, when they are known. */
export interface ErrorContext {
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  readonly model?: string | undefined;
}

const again = (label = 'Try again'): Remedy => ({ do: 'retry', label });
const visit = (label: string, place: Place): Remedy => ({ do: 'go', label, place });
const nothing: Remedy = { do: 'nothing' };
const toServers = visit('Open servers', { page: 'servers' });
const toModels = visit('Open models', { page: 'settings', section: 'models' });
const toVault = visit('Open the vault', { page: 'settings', section: 'vault' });

type Words = (context: { readonly server: string; readonly tool: string; readonly model: string }) => ErrorWords;
const say = (what: string, means: string, remedy: Remedy): Words => () => ({ what, means, remedy });

/** A closed table: a code without words does not compile. */
const words: { readonly [C in ErrorCode]: Words } = {
  'request/invalid': say('That could not be accepted.', 'Something that was entered does not fit. Nothing was changed.', nothing),
  'request/unknown-route': say('This version cannot do that.', 'The window and the app do not match. Starting Gatehouse again brings them together.', nothing),
  'request/forbidden': say('That is not allowed from here.', 'The request was refused and nothing was changed.', nothing),
  'server/not-found': say('That server is no longer here.', 'It was removed meanwhile.', toServers),
  'server/exists': say('A server with this name exists already.', 'Names tell servers apart. Choose another one.', nothing),
  'server/read-only': say('This server cannot be changed here.', 'It comes with Gatehouse: it can be switched on and off.', nothing),
  'server/disabled': ({ server }) => ({ what: `${server} is switched off.`, means: 'Its tools cannot be used until it is switched on.', remedy: toServers }),
  'tool/not-found': ({ tool, server }) => ({ what: `${tool} is no longer offered by ${server}.`, means: 'The server changed its tools meanwhile. Nothing was called.', remedy: nothing }),
  'chat/not-found': say('This chat is no longer here.', 'It was deleted, or its file was moved away.', visit('New chat', { page: 'chat' })),
  'chat/busy': say('This chat is still working.', 'Wait for the answer, or stop it first.', nothing),
  'approval/not-found': say('This question is settled.', 'It was answered elsewhere, or its call has ended. Your answer changed nothing.', nothing),
  'approval/required': say('This needs an approval first.', 'Nothing was called.', visit('Open approvals', { page: 'approvals' })),
  'elicitation/not-found': say('This question is settled.', 'It was answered elsewhere, or the server no longer waits for it. Your answer changed nothing.', nothing),
  'elicitation/url-required': ({ server, tool }) => ({ what: `${server} wants you to finish something in the browser first.`, means: `Open its page, complete it there, then run ${tool} again.`, remedy: nothing }),
  'auth/sign-in-required': ({ server }) => ({ what: `${server} wants you to sign in.`, means: 'It refused the request without a valid sign-in.', remedy: toServers }),
  'auth/scopes-needed': ({ server, tool }) => ({ what: `${tool} needs more permission on ${server}.`, means: 'You are signed in, but this was not granted. Signing in again asks for it.', remedy: toServers }),
  'auth/client-needed': ({ server }) => ({ what: `${server} needs a client id from you.`, means: 'Its provider does not register apps by itself. Register one there, then enter its id.', remedy: toServers }),
  'auth/host-blocked': ({ server }) => ({ what: `The sign-in of ${server} leads into your own network.`, means: 'The server named an address of this machine or network. Nothing was sent there. Allow it if you know it.', remedy: toServers }),
  'auth/port-busy': say('The sign-in cannot hear the answer.', 'Another program uses the port that the provider sends it to. Free it, or set another redirect address.', toServers),
  'auth/denied': ({ server }) => ({ what: `The sign-in to ${server} was refused.`, means: 'You or the provider said no. Nothing was stored.', remedy: toServers }),
  'auth/expired': ({ server }) => ({ what: `The sign-in to ${server} ran out of time.`, means: 'The browser did not come back within five minutes. Start it again.', remedy: toServers }),
  'auth/waiting': say('The browser has not come back yet.', 'Finish signing in there first. The sign-in goes on.', nothing),
  'auth/no-flow': say('No sign-in is under way.', 'It ended, or was never begun. Start it again.', nothing),
  'auth/not-supported': ({ server }) => ({ what: `There is nothing to sign in to on ${server}.`, means: 'It is not reached over HTTP, or its settings say how it is reached without a sign-in.', remedy: nothing }),
  'auth/discovery-failed': ({ server }) => ({ what: `${server} does not say where to sign in.`, means: 'Its provider could not be found, or its description cannot be used.', remedy: toServers }),
  'auth/address-refused': ({ server }) => ({ what: `The sign-in of ${server} leads to an unsafe address.`, means: 'Gatehouse did not open or call it. The people who run the server have to mend this.', remedy: nothing }),
  'auth/issuer-mismatch': ({ server }) => ({ what: `The answer for ${server} came from somebody else.`, means: 'The provider that answered is not the one that was asked. Nothing was sent to it.', remedy: toServers }),
  'auth/account-refused': ({ server }) => ({ what: `${server} does not let this account in.`, means: 'The sign-in went well, and the server still refuses. Try another account.', remedy: toServers }),
  'auth/failed': ({ server }) => ({ what: `The sign-in to ${server} did not work.`, means: 'The provider answered with an error.', remedy: toServers }),
  'secret/missing': ({ server }) => ({ what: `A secret of ${server} is missing.`, means: 'Its definition names a value that the vault does not hold.', remedy: toServers }),
  'secret/policy-denied': say('A secret may not be used here.', 'A rule forbids giving it to this server.', toServers),
  'secret/in-use': say('This secret is in use.', 'Servers name it, and would miss it. Remove it there first, or delete it all the same.', nothing),
  'secret/exists': say('A secret with this name exists already.', 'It was not replaced. Choose another name, or use the one that is there.', nothing),
  'secret/command-failed': ({ server }) => ({ what: `A secret command of ${server} gave nothing.`, means: 'The command that should print the value failed or may not run.', remedy: toServers }),
  'variable/missing': ({ server }) => ({ what: `${server} needs a variable that is not set.`, means: 'Its definition names it. Set it and start Gatehouse again, or give it a default.', remedy: toServers }),
  'vault/unavailable': say('There is no keyring to keep secrets in.', 'Gatehouse never writes a secret in the open. Unlock a keyring, or keep secrets in memory only.', toVault),
  'vault/locked': say('The keyring is locked.', 'Unlock it, then try again.', toVault),
  'vault/key-missing': say("The vault's key is not in the keyring.", 'The secrets in the vault cannot be read without it. They have not been touched.', toVault),
  'vault/damaged': say('The vault cannot be read.', 'Its file does not have the expected form. It was left as it is.', toVault),
  'trust/needed': ({ server }) => ({ what: `${server} waits for your trust.`, means: 'What it would start has changed or is new to you.', remedy: toServers }),
  'trust/changed': say('The files were changed meanwhile.', 'What you answered was about what stood there before. Look at what is there now.', nothing),
  'project/needed': ({ server }) => ({ what: `${server} needs a project folder.`, means: 'It works on the open project, and none is open.', remedy: { do: 'open-project', label: 'Open a folder' } }),
  'user/needed': say('Someone has to answer first.', 'This needs an approval and nobody can be asked.', nothing),
  'storage/failed': say('It could not be saved or read.', 'The disk refused, so nothing was done. Check free space and permissions.', again()),
  'home/in-use': say('Another Gatehouse uses this folder.', 'Only one may write to it at a time. Close the other one first.', again()),
  'home/newer': say('This data belongs to a newer Gatehouse.', 'This version would not understand it and leaves it alone. Update Gatehouse.', nothing),
  'config/invalid': say('A configuration file has a mistake.', 'It is shown with its place and left as it is.', toServers),
  'config/changed': say('The file was changed meanwhile.', 'Nothing was written over. Look at what is there now, then save again.', nothing),
  'launch/command-not-found': ({ server }) => ({ what: `The command of ${server} was not found.`, means: 'Install it, or correct the command.', remedy: toServers }),
  'launch/not-permitted': ({ server }) => ({ what: `${server} may not be started.`, means: 'The system refused to run its command.', remedy: toServers }),
  'connection/unreachable': ({ server }) => ({ what: `${server} cannot be reached.`, means: 'Nothing answers at its address.', remedy: again() }),
  'connection/timed-out': ({ server }) => ({ what: `${server} did not answer in time.`, means: 'It may be busy or hanging.', remedy: again() }),
  'connection/closed': ({ server }) => ({ what: `${server} closed the connection.`, means: 'It went away in the middle.', remedy: again() }),
  'connection/backing-off': ({ server }) => ({ what: `${server} is not answering.`, means: 'Gatehouse waits a little before the next try.', remedy: again('Try now') }),
  'connection/still-starting': ({ server }) => ({ what: `${server} is still starting.`, means: 'It was waited for, and nothing was called. It goes on starting in the background.', remedy: again() }),
  'connection/stopped': ({ server }) => ({ what: `${server} is stopped.`, means: 'It stays off until you start it.', remedy: toServers }),
  'connection/crash-loop': ({ server }) => ({ what: `${server} keeps crashing.`, means: 'It ended five times within a minute and is left alone until you start it.', remedy: toServers }),
  'server/exited': ({ server }) => ({ what: `${server} ended by itself.`, means: 'Its process is gone. Its log has its last words.', remedy: toServers }),
  'server/protocol-error': ({ server }) => ({ what: `${server} said something that makes no sense.`, means: 'Its answer does not follow the protocol.', remedy: toServers }),
  'server/not-mcp': ({ server }) => ({ what: `${server} does not speak MCP.`, means: 'Something answers, but it is no MCP server. Check the address or command.', remedy: toServers }),
  'server/http-error': ({ server }) => ({ what: `${server} answered with an error.`, means: 'The web server in front of it refused the request.', remedy: again() }),
  'tool/failed': ({ tool }) => ({ what: `${tool} failed.`, means: 'The server reports an error.', remedy: nothing }),
  'tool/timed-out': ({ tool }) => ({ what: `${tool} did not answer in time.`, means: 'It was told to stop. Whether it did something before is not known.', remedy: nothing }),
  'tool/outcome-unknown': ({ tool }) => ({ what: `It is not known whether ${tool} ran.`, means: 'The connection broke before the answer came. Check before you run it again.', remedy: nothing }),
  'tool/result-too-large': ({ tool }) => ({ what: `The result of ${tool} is too large.`, means: 'It passed the limit and was not kept.', remedy: nothing }),
  'result/read-failed': say('The kept result cannot be read.', 'It was deleted after its time, or there is nothing at that place in it.', nothing),
  'skill/not-verified': ({ server }) => ({ what: `What came is not what ${server} listed.`, means: 'The skill was changed on the way, or on the server since it was listed. Nothing of it was used. Look at the skills again.', remedy: nothing }),
  'model/not-chosen': say('No model is chosen.', 'Choose one below, or go on without in Direct mode.', toModels),
  'model/key-refused': ({ model }) => ({ what: `${model} refused the key.`, means: 'The key is wrong, expired, or may not use this model.', remedy: toModels }),
  'model/unreachable': ({ model }) => ({ what: `${model} cannot be reached.`, means: 'Nothing answers at its address. Check the network and the address.', remedy: again() }),
  'model/overloaded': ({ model }) => ({ what: `${model} is overloaded.`, means: 'The provider asks to wait. Nothing is lost.', remedy: again() }),
  'model/refused': ({ model }) => ({ what: `${model} refused the request.`, means: 'The provider would not answer it.', remedy: again() }),
  'model/failed': ({ model }) => ({ what: `${model} broke off with an error.`, means: 'What had arrived is kept.', remedy: again() }),
  'run/cancelled': say('Cancelled.', 'It was stopped before it ended.', nothing),
  'internal/bug': say('Something in Gatehouse broke.', 'This is our mistake. The log has the details, and nothing else is affected.', again()),
};

/** What happened, what it means, and the one thing to do, for every code. */
export function describeError(code: ErrorCode, context: ErrorContext = {}): ErrorWords {
  return words[code]({ server: context.server ?? 'The server', tool: context.tool ?? 'The tool', model: context.model ?? 'The model' });
}

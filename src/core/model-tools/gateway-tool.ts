import type { JsonObject } from '../../shared/model/catalog.ts';
import { refused } from './action-answer.ts';
import { GatewayActions } from './gateway-actions.ts';
import { outcomeOf } from './own-result.ts';
import type { ActionAnswer, OwnTool, OwnToolContext } from './own-tool.ts';

type Action = (actions: GatewayActions, params: JsonObject, context: OwnToolContext, signal: AbortSignal) => Promise<ActionAnswer> | ActionAnswer;

/** Every action (F-81) with the parameters that it takes. */
const actionsByName: Readonly<Record<string, Action>> = {
  status: (actions, params, context) => actions.status(params, context),
  search: (actions, params, context, signal) => actions.search(params, context, signal),
  list: (actions, params, context, signal) => actions.list(params, context, signal),
  describe: (actions, params, context, signal) => actions.describe(params, context, signal),
  call: (actions, params, context, signal) => actions.call(params, context, signal),
  connect: (actions, params, context, signal) => actions.connect(params, context, signal),
  instructions: (actions, params, context, signal) => actions.instructions(params, context, signal),
  resources: (actions, params, context, signal) => actions.resources(params, context, signal),
  'read-resource': (actions, params, context, signal) => actions.readResource(params, context, signal),
  'read-result': (actions, params, context, signal) => actions.readResult(params, context, signal),
  'auth-start': (actions, params, context, signal) => actions.authStart(params, context, signal),
  'auth-complete': (actions, params, context, signal) => actions.authComplete(params, context, signal),
  'ui-messages': (actions, params) => actions.uiMessages(params),
};
const actionNames = Object.keys(actionsByName);

/** The gateway: everything that can be done with MCP servers, behind one small definition that no catalog changes (F-94). */
export function gatewayTool(actions: GatewayActions, deferred: (name: string) => OwnTool['run'] | undefined): OwnTool {
  return {
    name: 'mcp',
    description:
      'Use any MCP server without loading its tools. search finds tools with schemas, describe shows one, call runs one (put its own arguments into args). ' +
      'Needed: search query; describe, call tool; read-resource server, uri; read-result ref (of a result that was cut); list, connect, instructions, resources, auth-* server. ' +
      'server also says which one is meant when names repeat. Lists go on at offset.',
    inputSchema: {
      type: 'object',
      properties: {
        action: { type: 'string', enum: actionNames },
        query: { type: 'string' }, server: { type: 'string' }, tool: { type: 'string' }, args: { type: 'object', properties: {} }, uri: { type: 'string' },
        ref: { type: 'string' }, path: { type: 'string', description: 'JSON Pointer into it' }, fields: { type: 'array', items: { type: 'string' } },
        limit: { type: 'integer' }, offset: { type: 'integer' }, includeSchemas: { type: 'boolean' },
      },
      required: ['action'],
    },
    async run(args, context, signal) {
      const { action: name, ...params } = presentForm(args);
      const action = typeof name === 'string' && Object.hasOwn(actionsByName, name) ? actionsByName[name] : undefined;
      if (!action) return outcomeOf(refused('invalid_arguments', `${name === undefined ? 'action is missing' : 'There is no such action'}. The actions are ${actionNames.join(', ')}.`));
      const own = name === 'call' ? GatewayActions.ownToolCall(params) : undefined;
      const runOwn = own && deferred(own.name);
      if (own && runOwn) return runOwn(own.args, context, signal);
      return outcomeOf(await action(actions, params, context, signal));
    },
  };
}

/** How each older form names what it does, and what its value is called now. */
const olderForms = [
  ['call', 'tool', 'tool'],
  ['connect', 'connect', 'server'],
  ['describe', 'describe', 'tool'],
  ['instructions', 'instructions', 'server'],
  ['search', 'search', 'query'],
] as const;

/** Calls as they were stored before there was `action` (F-83): the field that is there says what is wanted; `mode` names it. Empty fields are none. */
function presentForm(args: JsonObject): JsonObject {
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined && value !== null && value !== ''));
  if ('action' in given) return withoutMode(given);
  if (typeof given['mode'] === 'string' && Object.hasOwn(actionsByName, given['mode'])) return { ...withoutMode(given), action: given['mode'] };
  for (const [action, field, name] of olderForms) {
    const { [field]: value, mode: _mode, ...rest } = given;
    if (typeof value === 'string') return { ...rest, action, [name]: value };
  }
  if ('server' in given) return { ...withoutMode(given), action: 'list' };
  return Object.keys(withoutMode(given)).length === 0 ? { action: 'status' } : given;
}

const withoutMode = ({ mode: _mode, ...rest }: JsonObject): JsonObject => rest;

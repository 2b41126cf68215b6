// A server of the old era that asks the person things. What it is told comes back as the tool's text.
import { createInterface } from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
/** Its own requests that wait for an answer. */
const asked = new Map();
const cancelled = [];
let capabilities;
let last = 0;
let late;
let paid = false;

/** Resolves with `{ result }` or `{ error }`, as it came. */
const ask = (params) =>
  new Promise((resolve) => {
    last += 1;
    asked.set(last, resolve);
    send({ id: last, method: 'elicitation/create', params });
  });

const booking = {
  message: 'Where does the trip go?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Full name', description: 'As in your passport', minLength: 2, maxLength: 20 },
      mail: { type: 'string', title: 'E-mail', format: 'email' },
      seats: { type: 'integer', title: 'Seats', minimum: 1, maximum: 4, default: 2 },
      window: { type: 'boolean', title: 'By the window' },
      class: { type: 'string', title: 'Class', enum: ['1', '2'], enumNames: ['First', 'Second'], default: '2' },
      extras: { type: 'array', title: 'Extras', items: { anyOf: [{ const: 'bike', title: 'A bike' }, { const: 'dog', title: 'A dog' }, { const: 'skis', title: 'Skis' }] }, minItems: 1, maxItems: 2 },
      meal: { type: 'string', title: 'Meal', oneOf: [{ const: 'a', title: 'Apples' }, { const: 'b', title: 'Bread' }] },
      note: { type: 'string', title: 'Note' },
    },
    required: ['name', 'seats', 'extras'],
  },
};
const payment = { mode: 'url', message: 'Please pay for the trip.', url: 'https://pay.bücher.example/trip?number=42', elicitationId: 'trip-42' };

const tools = {
  /** A form as a travel agent has it. */
  book: async () => text(await ask(booking)),
  /** A yes or no. */
  confirm: async () => text(await ask({ message: 'Book it now?', requestedSchema: { type: 'object', properties: {} } })),
  /** A page to pay on. */
  pay: async () => text(await ask(payment)),
  /** Not before it was paid. */
  ticket: () => {
    if (paid) return text('ticket');
    throw Object.assign(new Error('Not paid yet'), { code: -32042, data: { elicitations: [payment] } });
  },
  /** The word that somebody else's page is over. */
  other_paid: () => {
    send({ method: 'notifications/elicitation/complete', params: { elicitationId: 'trip-43' } });
    return text('told');
  },
  paid: () => {
    paid = true;
    send({ method: 'notifications/elicitation/complete', params: { elicitationId: payment.elicitationId } });
    return text('paid');
  },
  echo: ({ text: value }) => text(value),
  capabilities: () => text(capabilities),
  ask: async ({ params }) => text(await ask(params)),
  /** Asks, and ends without the answer: `told` says what became of it. */
  ask_and_end: ({ params }) => {
    void ask(params).then((answer) => (late = answer));
    return text('asked');
  },
  /** Asks when the call is over. */
  ask_late: ({ params }) => {
    setTimeout(() => void ask(params).then((answer) => (late = answer)), 30);
    return text('will ask');
  },
  told: () => text({ late: late ?? null, open: [...asked.keys()], cancelled }),
  /** Takes its last question back. */
  withdraw: () => {
    send({ method: 'notifications/cancelled', params: { requestId: last, reason: 'no longer wanted' } });
    asked.delete(last);
    return text('withdrawn');
  },
  complete: ({ id }) => {
    send({ method: 'notifications/elicitation/complete', params: { elicitationId: id } });
    return text('told');
  },
  /** Refuses until pages were visited. */
  pages: ({ elicitations }) => {
    throw Object.assign(new Error('Visit these first'), { code: -32042, data: { elicitations } });
  },
};
const inputSchema = { type: 'object' };

async function hear(line) {
  const message = JSON.parse(line);
  const { id, method, params = {} } = message;
  if (method === undefined) {
    const { result, error } = message;
    asked.get(id)?.(error ? { error } : { result });
    asked.delete(id);
    return;
  }
  if (method === 'notifications/cancelled') cancelled.push(params.requestId);
  if (method === 'initialize') ({ capabilities } = params);
  if (id === undefined) return;
  try {
    const result =
      method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'asks', version: '1.0.0' } }
      : method === 'tools/list' ? { tools: Object.keys(tools).map((name) => ({ name, description: `Does ${name}`, inputSchema })) }
      : method === 'tools/call' ? await tools[params.name](params.arguments ?? {})
      : {};
    send({ id, result });
  } catch (error) {
    send({ id, error: { code: error.code ?? -32603, message: error.message, data: error.data } });
  }
}

createInterface({ input: process.stdin })
  .on('line', (line) => void hear(line))
  .on('close', () => process.exit(0));

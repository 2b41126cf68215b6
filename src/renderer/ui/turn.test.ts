import { expect, it } from 'vitest';
import { turn } from './turn.ts';

it('lets one at a time, in the order in which they asked', async () => {
  const order: string[] = [];
  const take = async (name: string) => {
    const end = await turn();
    order.push(`${name} begins`);
    await Promise.resolve();
    order.push(`${name} ends`);
    end();
    end(); // more often ends nothing of the next
  };
  await Promise.all([take('a'), take('b'), take('c')]);
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

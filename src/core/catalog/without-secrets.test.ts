import { expect, it } from 'vitest';
import { withoutSecrets } from './without-secrets.ts';

const mask = (text: string): string => text.replaceAll('s3cret', '•••');

it('a secret is taken out of words, at any depth, and names by which things are reached stay', () => {
  const tool = {
    name: 's3cret_tool', title: 'A s3cret', description: 'Uses s3cret', revision: 's3cret', problem: 'no s3cret',
    inputSchema: {
      type: 'object', required: ['s3cret'],
      properties: {
        s3cret: { type: 'string', description: 'the s3cret', default: 's3cret', enum: ['s3cret'], examples: ['a s3cret'] },
        name: { type: 'string', description: 'a s3cret too', pattern: '^s3cret$', const: 's3cret' },
      },
    },
  };
  expect(withoutSecrets(tool, mask)).toEqual({
    name: 's3cret_tool', title: 'A •••', description: 'Uses •••', revision: 's3cret', problem: 'no •••',
    inputSchema: {
      type: 'object', required: ['s3cret'],
      properties: {
        s3cret: { type: 'string', description: 'the •••', default: '•••', enum: ['s3cret'], examples: ['a •••'] },
        name: { type: 'string', description: 'a ••• too', pattern: '^s3cret$', const: 's3cret' },
      },
    },
  });
});

it('what holds none is left as it is', () => {
  const tool = { name: 'x', description: 'nothing', inputSchema: { type: 'object' } };
  expect(withoutSecrets(tool, mask)).toBe(tool);
});

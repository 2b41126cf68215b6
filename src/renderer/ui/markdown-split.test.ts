import { describe, expect, it } from 'vitest';
import { blocksBefore, blocksOf, growMarkdown, splitMarkdown, waitingAfter } from './markdown-split.ts';

const answer = 'First.\n\n- a\n- b\n\n```ts\nconst x = 1;\n\nconst y = 2;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nLast.';

describe('splitting Markdown', () => {
  it('cuts at top-level blocks and never inside of a fence, list or table', () => {
    expect(splitMarkdown(answer).map((block) => block.trim().split('\n')[0])).toEqual(['First.', '- a', '```ts', '| a | b |', 'Last.']);
  });

  it('keeps the earlier blocks equal while text grows at the end, so that only the last is drawn again', () => {
    for (let end = 1; end < answer.length; end += 1) {
      const before = splitMarkdown(answer.slice(0, end));
      const after = splitMarkdown(answer.slice(0, end + 1));
      const settled = before.slice(0, -1).filter((block, index) => after[index] !== block);
      // A line of dashes or a table's second line may still change the block just before the last one.
      expect(settled.length).toBeLessThanOrEqual(1);
    }
  });

  it('gives link definitions to the blocks that may refer to them', () => {
    expect(splitMarkdown('See [it][1].\n\nNothing here.\n\n[1]: https://example.com')).toEqual(['See [it][1].\n\n[1]: https://example.com', 'Nothing here.']);
  });

  it('leaves an open fence as one block', () => {
    expect(splitMarkdown('```js\nlet a;\n\nlet b;')).toHaveLength(1);
  });

  it('gives the same blocks when it reads only the end of a text that grows', () => {
    const long = `${answer}\n\n> quoted\nstill quoted\n\n1. one\n\n   more of one\n2. two\n\n<details>\n\nhtml\n\n</details>\n\n# Heading\n\n[1]: https://example.com\n\nSee [it][1].\n\n    indented\n\n    code\n`;
    let cut = growMarkdown('', undefined);
    for (let end = 1; end <= long.length; end += 3) {
      cut = growMarkdown(long.slice(0, end), cut);
      expect(blocksOf(cut)).toEqual(splitMarkdown(long.slice(0, end)));
    }
  });

  it('reads a text with Windows line ends too', () => {
    const cut = growMarkdown('a\r\n\r\nb', growMarkdown('a\r\n', undefined));
    expect(blocksOf(cut).map((block) => block.trim())).toEqual(['a', 'b']);
  });

  it('takes a long text from its end in pieces of about one size, and never stands still', () => {
    const blocks = ['a'.repeat(90), 'b'.repeat(10), 'c'.repeat(500), 'd'.repeat(40), 'e'.repeat(80)];
    const stops: number[] = [];
    for (let from = blocks.length; from > 0; stops.push(from)) from = blocksBefore(blocks, from, 100);
    expect(stops).toEqual([3, 2, 0]);
    // A text that became shorter meanwhile.
    expect(blocksBefore(blocks.slice(0, 1), 4, 100)).toBe(0);
  });

  it('lets wait what is too much for one go, and nothing of what comes in little by little', () => {
    const blocks = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => letter.repeat(100));
    const none = { from: 0, to: 0 };
    expect(waitingAfter(blocks.slice(0, 2), 0, none, 200)).toEqual(none);
    expect(waitingAfter(blocks, 0, none, 200)).toEqual({ from: 0, to: 4 });
    expect(waitingAfter(blocks, 5, { from: 0, to: 3 }, 200)).toEqual({ from: 0, to: 3 });
    // A burst, with what is drawn before it and with what still waits.
    expect(waitingAfter(blocks, 2, none, 200)).toEqual({ from: 2, to: 4 });
    expect(waitingAfter(blocks, 3, { from: 1, to: 2 }, 200)).toEqual({ from: 1, to: 4 });
  });
});

import { memo } from 'react';
import type { CostSum } from '../../../shared/model/cost.ts';
import type { Usage } from '../../../shared/model/transcript-entry.ts';
import { Popover } from '../../ui/popover.tsx';
import { countText } from '../../ui/time.ts';

const number = (value: number): string => value.toLocaleString('en-US');
/** Estimates are said to two digits that count: 640, 1,200, 88,000. */
export function rounded(tokens: number): string {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, Math.abs(tokens)))) - 1);
  return number(Math.round(tokens / step) * step);
}
/** What was not sent that a host which sends every tool would have sent, and results that stayed out. */
export const savedTokens = ({ sent, plainHost, keptOut }: CostSum): number => plainHost - sent + keptOut;

/** What tools cost a model in this chat: one quiet line that opens to how it is counted. Nothing before the first count. */
export const CostMeter = memo(function CostMeter({ cost, runCost, usage }: { readonly cost: CostSum; readonly runCost: CostSum; readonly usage: Usage }) {
  if (cost.requests === 0 && usage.inputTokens + usage.outputTokens === 0) return null;
  const saved = savedTokens(cost);
  return (
    <Popover
      label="What this chat costs" align="end" focusInside={false}
      trigger={
        <button type="button" className="h-7 min-w-0 truncate rounded-control px-2 text-detail whitespace-nowrap text-ink-3 transition-colors hover:bg-hover hover:text-ink-2 data-[state=open]:bg-hover">
          {cost.requests === 0 ? `${countText(usage.inputTokens + usage.outputTokens, 'token')}` : (
            <>≈ {rounded(cost.sent)} tokens of tools{saved > 0 ? <span className="compact:hidden"> · ≈ {rounded(saved)} saved</span> : null}</>
          )}
        </button>
      }
    >
      <div className="flex w-88 max-w-full flex-col gap-3">
        {cost.requests === 0 ? null : <Costs cost={cost} runCost={runCost} />}
        <p className="text-detail text-ink-3">
          {cost.requests === 0 ? '' : 'Estimates, in o200k tokens. '}
          The provider counted {countText(usage.inputTokens, 'token')} read and {number(usage.outputTokens)} written{usage.cachedInputTokens ? `, ${number(usage.cachedInputTokens)} of them from its cache` : ''}.
        </p>
      </div>
    </Popover>
  );
});

const rows: readonly { readonly name: string; readonly of: (cost: CostSum) => string }[] = [
  { name: 'Requests', of: ({ requests }) => number(requests) },
  { name: 'Tools sent', of: ({ sent }) => `≈ ${number(sent)}` },
  { name: 'A host that sends every tool', of: ({ plainHost }) => `≈ ${number(plainHost)}` },
  { name: 'Results kept out', of: ({ keptOut }) => `≈ ${number(keptOut)}` },
];

const Costs = ({ cost, runCost }: { readonly cost: CostSum; readonly runCost: CostSum }) => (
  <table className="w-full text-list">
    <caption className="pb-1.5 text-left font-[550] text-ink">What tools cost in this chat <span className="font-normal text-ink-3">estimate, tokens</span></caption>
    <thead>
      <tr className="text-detail text-ink-3"><td /><th scope="col" className="py-1 pl-4 text-right font-normal whitespace-nowrap">Last run</th><th scope="col" className="py-1 pl-4 text-right font-normal whitespace-nowrap">This chat</th></tr>
    </thead>
    <tbody className="text-ink-2">
      {rows.map(({ name, of }) => (
        <tr key={name}><th scope="row" className="py-1 text-left font-normal">{name}</th><td className="py-1 pl-4 text-right whitespace-nowrap">{of(runCost)}</td><td className="py-1 pl-4 text-right whitespace-nowrap">{of(cost)}</td></tr>
      ))}
    </tbody>
    <tfoot>
      <tr className="border-t border-line font-[550] text-ink"><th scope="row" className="py-1.5 text-left font-[550]">Saved</th><td className="pl-4 text-right">{savedText(runCost)}</td><td className="pl-4 text-right">{savedText(cost)}</td></tr>
    </tfoot>
  </table>
);

function savedText(cost: CostSum): string {
  const saved = savedTokens(cost);
  return saved > 0 ? `≈ ${number(saved)}` : saved === 0 ? 'nothing' : `${number(-saved)} more`;
}

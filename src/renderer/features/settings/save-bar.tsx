import { useState } from 'react';
import type { ConfigScope } from '../../../shared/model/config-value.ts';
import { Button } from '../../ui/button.tsx';
import { countText } from '../../ui/time.ts';
import { ReviewDialog } from './review-dialog.tsx';
import { changeCount, discardDraft, restoreDraft, useDiscarded, type ScopeDraft } from './scope-draft.ts';

/** How much is changed and not saved, and the way to save it. Stays at the foot of the page while one scrolls. */
export function SaveBar({ scope, draftId, draft, onLookAgain }: {
  readonly scope: ConfigScope;
  readonly draftId: string;
  readonly draft: ScopeDraft;
  readonly onLookAgain: (name: string) => void;
}) {
  const [reviewed, setReviewed] = useState<ScopeDraft>();
  const [saved, setSaved] = useState(false);
  const discarded = useDiscarded(draftId);
  const count = changeCount(draft);
  const letGo = discarded === undefined ? 0 : changeCount(discarded);
  if (count === 0 && letGo === 0 && !saved) return null;
  return (
    <div role="group" aria-label="Changes" className="sticky bottom-0 z-10 mt-auto -mb-6 flex min-h-14 compact:-mb-5 items-center gap-2 border-t border-line bg-pane py-3">
      <p role="status" className="min-w-0 flex-1 text-list text-ink-2">
        {count > 0 ? (
          <><strong className="font-[550] text-ink">{countText(count, 'change')}</strong>. Nothing takes effect before you save.</>
        ) : letGo > 0 ? `${countText(letGo, 'change')} let go.` : 'Saved. New chats use it at once.'}
      </p>
      {count > 0 ? (
        <>
          <Button look="plain" onClick={() => { setSaved(false); discardDraft(draftId); }}>Discard</Button>
          <Button look="primary" onClick={() => { setSaved(false); setReviewed(draft); }}>Review…</Button>
        </>
      ) : letGo > 0 ? <Button onClick={() => restoreDraft(draftId)}>Take back</Button> : <Button look="plain" onClick={() => setSaved(false)}>Close</Button>}
      {reviewed ? (
        <ReviewDialog
          scope={scope} draftId={draftId} draft={reviewed} onClose={() => setReviewed(undefined)}
          onLookAgain={(name) => { onLookAgain(name); setReviewed(undefined); }}
          onSaved={() => { setReviewed(undefined); setSaved(true); }}
        />
      ) : null}
    </div>
  );
}

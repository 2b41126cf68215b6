import { memo } from 'react';
import { visiblePieces } from '../../shared/text/visible-text.ts';

/** Text from outside, with marks for what would not be seen. A typed ⟨U+202E⟩ does not look like a mark. */
export const VisibleText = memo(function VisibleText({ text }: { readonly text: string }) {
  const pieces = visiblePieces(text);
  if (!pieces.some((piece) => piece.mark)) return <>{pieces.map((piece) => piece.text).join('')}</>;
  return (
    <>
      {pieces.map((piece, index) =>
        piece.mark ? <span key={index} className="mx-px rounded-[3px] bg-ask-soft px-0.5 font-code text-detail text-ask ring-1 ring-ask-line" title="A character that would not be seen">{piece.text}</span> : piece.text,
      )}
    </>
  );
});

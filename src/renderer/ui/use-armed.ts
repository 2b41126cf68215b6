import { useEffect, useState, type KeyboardEvent } from 'react';

/** False for the first moments of what is shown, named by `content`: a press so soon was meant for what stood there before. */
export function useArmed(content: string, afterMs = 400): boolean {
  const [armed, setArmed] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setArmed(content), afterMs);
    return () => clearTimeout(timer);
  }, [content, afterMs]);
  return armed === content;
}

/** For a button that must not be pressed by a key that is still held down, or by habit: Enter does nothing and says so; the space bar and clicks count. */
export function useNoEnter(): { readonly hint: boolean; readonly onKeyDown: (event: KeyboardEvent) => void } {
  const [hint, setHint] = useState(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    setHint(true);
  };
  return { hint, onKeyDown };
}

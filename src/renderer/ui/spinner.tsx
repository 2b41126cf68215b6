import { LoaderCircle } from 'lucide-react';

/** Says nothing to screen readers: the thing that waits says it. Stands still with reduced motion. */
export const Spinner = ({ size = 14 }: { readonly size?: number }) => <LoaderCircle size={size} strokeWidth={2} className="shrink-0 animate-spin" aria-hidden />;

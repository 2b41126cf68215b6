/** The gate: a house's outline with an arched door. */
export const GateMark = ({ size = 20 }: { readonly size?: number }) => (
  <svg viewBox="0 0 24 24" width={size} height={size} fill="none" stroke="currentColor" strokeWidth={1.9} strokeLinecap="round" strokeLinejoin="round" className="shrink-0 text-accent" aria-hidden>
    <path d="M4 21V8l8-5 8 5v13" /><path d="M9 21v-7a3 3 0 0 1 6 0v7" /><path d="M12 11v10" />
  </svg>
);

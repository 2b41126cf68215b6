const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** `4 ms`, `0.2 s`, `1.4 s`, `48 s`, `2 min 5 s`, `1 h 12 min`. */
export function durationText(ms: number): string {
  if (ms < 100) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 9_950) return `${(ms / second).toFixed(1)} s`;
  if (ms < minute) return `${Math.round(ms / second)} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min ${Math.floor((ms % minute) / second)} s`;
  return `${Math.floor(ms / hour)} h ${Math.floor((ms % hour) / minute)} min`;
}

/** `just now`, `5 min ago`, `3 h ago`, then the date. */
export function agoText(at: number, now: number): string {
  const ago = now - at;
  if (ago < minute) return 'just now';
  if (ago < hour) return `${Math.floor(ago / minute)} min ago`;
  if (ago < 24 * hour) return `${Math.floor(ago / hour)} h ago`;
  return new Date(at).toLocaleDateString(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
}

let clock: Intl.DateTimeFormat | undefined;
/** `14:05` in the person's own way. Making the format reads the language's data, and is most of the work of the first use. */
export const clockText = (at: number): string => (clock ??= new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })).format(at);

const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** The heading that a list by age puts `at` under. */
export function ageGroup(at: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / (24 * hour));
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days <= 7) return 'Last week';
  if (days <= 30) return 'Last month';
  return new Date(at).toLocaleDateString(undefined, { month: 'long', year: 'numeric' });
}

/** `812 bytes`, `4.1 kB`, `2.3 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `1 tool`, `3 tools`, `1,240 tokens`. */
export const countText = (count: number, one: string, many = `${one}s`): string => `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

interface Problem {
  readonly problem: string;
}
const number = (text: string): number => (/^\d+([.,]\d+)?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : Number.NaN);

/** Minutes of idle time as they are typed; parts of a minute count. */
export function minutesOf(text: string): number | Problem {
  const minutes = number(text);
  return minutes <= 10_080 ? minutes : { problem: 'Minutes from 0 to 10,080 (a week); 0.5 is half a minute.' };
}
export const idleText = (minutes: number): string => String(minutes);

/** Seconds for a request, in milliseconds; nothing typed is 0, the usual. */
export function secondsOf(text: string): number | Problem {
  if (text.trim() === '') return 0;
  const seconds = number(text);
  return seconds > 0 && seconds <= 3_600 ? Math.round(seconds * 1_000) : { problem: 'Seconds up to 3,600 (an hour), or nothing for the usual 60.' };
}
export const requestText = (ms: number): string => (ms > 0 ? String(ms / 1_000) : '');

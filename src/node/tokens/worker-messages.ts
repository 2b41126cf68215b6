export interface CountQuestion {
  readonly job: number;
  readonly texts: readonly string[];
}
export interface CountAnswer {
  readonly job: number;
  /** One for each text, in its order. */
  readonly counts: readonly number[];
}

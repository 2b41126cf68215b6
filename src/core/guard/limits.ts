/** What one tool call may bring in and take out (decisions, section 10). */
export const limits = {
  /** Characters of JSON. */
  arguments: 4_194_304,
  /** Text shown and sent to a model at once; the rest is kept by reference. */
  textBytes: 51_200,
  textLines: 2_000,
  /** Structured content in state, as JSON bytes. */
  detailBytes: 16_384,
  /** A whole result, binary parts included. */
  resultBytes: 67_108_864,
  parts: 1_000,
} as const;

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
  /** A page of a kept result that is read back, in UTF-16 units. */
  readBackCharacters: 12_000,
  /** A kept result is read into memory up to here; escapes make JSON longer than what was said. */
  keptBytes: 268_435_456,
  /** A result handed to a script or a program as a value, as JSON bytes. */
  valueBytes: 4_194_304,
} as const;

export const defaultCaps = { maxBytes: limits.textBytes, maxLines: limits.textLines } as const;

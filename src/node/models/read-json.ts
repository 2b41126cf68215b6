const limit = 4 * 1024 * 1024;

/** A body of at most 4 MiB as JSON; the text itself when it is none. */
export async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body !== null) {
    for await (const chunk of response.body) {
      size += chunk.byteLength;
      if (size > limit) break; // leaving the loop cancels the body
      chunks.push(chunk);
    }
  }
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

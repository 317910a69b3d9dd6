/** The longest answer of a server that is read. */
const maxAnswerBytes = 8 << 20

/**
 * The text of an answer.
 * @param refuse gives what is thrown for a longer one, whose bound it is told in words
 */
export async function readBounded(response: Response, refuse: (bound: string) => Error): Promise<string> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes) throw refuse(`${maxAnswerBytes.toLocaleString('en')} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

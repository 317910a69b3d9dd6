/** A reply with its reasoning parted from what is said. */
interface Parted {
  readonly text: string
  readonly reasoning?: string
  readonly unclosed?: true
}

const opening = '<think>'
const closing = '</think>'

/**
 * Takes `<think>…</think>` out of the front of a reply. Where a template has written the opening already, the reply has
 * only the closing. Reasoning that is begun and never closed leaves no text.
 * @param isOpened the template has written the opening: a reply without a closing is reasoning alone
 */
export function partReasoning(content: string, isOpened = false): Parted {
  const start = content.trimStart()
  const end = start.indexOf(closing)
  if (start.startsWith(opening)) {
    if (end === -1) return { text: '', reasoning: start.slice(opening.length), unclosed: true }
    return { text: start.slice(end + closing.length).trimStart(), reasoning: start.slice(opening.length, end) }
  }
  if (isOpened && end === -1) return { text: '', reasoning: content, unclosed: true }
  const begun = start.indexOf(opening)
  if (end === -1 || (begun !== -1 && begun < end)) return { text: content }
  return { text: start.slice(end + closing.length).trimStart(), reasoning: start.slice(0, end) }
}

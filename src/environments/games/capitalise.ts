/** A text with its first letter large and all others small, as Python's `str.capitalize()` gives it. */
export function capitalise(text: string): string {
  const [first = ''] = text
  const large = first.toUpperCase()
  // What becomes two letters in capitals, as ß does, has only the first of them large.
  const [head = '', ...tail] = large
  return head + tail.join('').toLowerCase() + text.slice(first.length).toLowerCase()
}

/** FNV-1a over the UTF-16 units of a text, as a whole number of 32 bits. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return spread(hash)
}

/** Combines two numbers of 32 bits into one; their order matters. */
export function join(one: number, other: number): number {
  return spread(Math.imul(one, 0x9e3779b1) ^ other)
}

/** MurmurHash3's finaliser: every bit of the number affects every bit of the result. */
function spread(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

const known = new Map<string, number>()
/** The most texts whose hashes are cached; then the cache is cleared. */
const maxKnown = 50_000

/** The cached hash of a frequent text. */
export function idOf(text: string): number {
  const id = known.get(text)
  if (id !== undefined) return id
  if (known.size >= maxKnown) known.clear()
  const hash = hashText(text)
  known.set(text, hash)
  return hash
}

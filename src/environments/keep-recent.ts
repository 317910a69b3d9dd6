/** Keeps what was made last: gives what is kept under a key, or makes it. The least recently used goes first. */
export function keepRecent<T>(most: number): (key: string, make: () => T) => T {
  const kept = new Map<string, T>()
  return (key, make) => {
    const value = kept.has(key) ? kept.get(key)! : make()
    kept.delete(key)
    kept.set(key, value)
    if (kept.size > most) kept.delete(kept.keys().next().value!)
    return value
  }
}

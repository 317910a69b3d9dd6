/** A cache of the `max` most recently used values: returns the value of a key, and makes it where it is missing. */
export function keepRecent<T>(max: number): (key: string, make: () => T) => T {
  const kept = new Map<string, T>()
  return (key, make) => {
    const value = kept.has(key) ? kept.get(key)! : make()
    kept.delete(key)
    kept.set(key, value)
    if (kept.size > max) kept.delete(kept.keys().next().value!)
    return value
  }
}

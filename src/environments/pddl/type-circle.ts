/**
 * A type that lies above itself, if there is one.
 * @param types each with the types directly above it; such as are not keys have none above them
 */
export function findCircle(types: ReadonlyMap<string, readonly string[]>): string | undefined {
  const done = new Set<string>()
  for (const start of types.keys()) {
    if (done.has(start)) continue
    const path = new Set([start])
    const open: { readonly name: string; next: number }[] = [{ name: start, next: 0 }]
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const above = types.get(top.name)?.[top.next++]
      if (above === undefined) {
        done.add(top.name)
        path.delete(top.name)
        open.pop()
      } else if (path.has(above)) return above
      else if (!done.has(above)) {
        path.add(above)
        open.push({ name: above, next: 0 })
      }
    }
  }
  return undefined
}

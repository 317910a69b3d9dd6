const quote = 0x22
const backslash = 0x5c

/** The first key that stands twice in one object of a whole JSON text, of which a parser would keep the last alone. */
export function duplicateKey(json: string): string | undefined {
  const levels: (Set<string> | undefined)[] = []
  for (let index = 0; index < json.length; index++) {
    const character = json[index]
    if (character === '{') levels.push(new Set())
    else if (character === '[') levels.push(undefined)
    else if (character === '}' || character === ']') levels.pop()
    else if (character === '"') {
      const end = endOfString(json, index)
      const keys = levels.at(-1)
      if (keys !== undefined && /^\s*:/.test(json.slice(end + 1, end + 100))) {
        const key = JSON.parse(json.slice(index, end + 1)) as string
        if (keys.has(key)) return key
        keys.add(key)
      }
      index = end
    }
  }
  return undefined
}

/** Index of the quote that ends the string that begins at an index. */
function endOfString(json: string, start: number): number {
  let index = start + 1
  while (index < json.length && json.charCodeAt(index) !== quote) {
    index += json.charCodeAt(index) === backslash ? 2 : 1
  }
  return index
}

/** A number with its noun: `1 seed`, `12,060 episodes`. */
export function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`
}

/** A whole number with a comma between each three digits. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `a`, `a and b`, `a, b and c`. */
export function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`
}

/** The first of a list in words, and how many more there are. */
export function listFirst(words: readonly string[], max = 5): string {
  const more = words.length - max
  return more > 0 ? `${words.slice(0, max).join(', ')} and ${grouped(more)} more` : listWords(words)
}

/** The sentences that apply. */
export function sentences(all: readonly (string | false | undefined)[]): string[] {
  return all.filter((sentence) => typeof sentence === 'string')
}

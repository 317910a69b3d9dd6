/** Words that tell little of what is done: they name an action only where it has no other word of its own. */
const small = new Set(
  'a an the in on at to from of with using by for and into onto off out up down over under as it is use'.split(' '),
)

/**
 * The word by which an action is known: its own name where its template has that as a word, otherwise the first word that no other action's template
 * has.
 * @param words of the action's template, in order
 * @param others of all other actions' templates
 */
export function verbAmong(name: string, words: readonly string[], others: ReadonlySet<string>): string | undefined {
  const own = words.filter((word) => /[\p{L}\p{N}]/u.test(word) && !others.has(word))
  return own.find((word) => word === name) ?? own.find((word) => !small.has(word)) ?? own[0]
}

/**
 * Prose that no renaming may touch, and names beside it that a renaming must find: numbers that belong to no item, and
 * words that a name begins or ends, such as `drawer 10` where only `drawer 1` exists.
 */
export function probesFor(names: readonly string[]): readonly string[] {
  const around = names.slice(0, 8).map((name) => {
    const kind = name.replace(/ ?\d+$/, '')
    return `${name}0, ${name}x, un${name}, ${kind}, ${kind} 0${name.slice(kind.length).trim()}, 10 ${kind}s, (${name}), “${name}”: ${name}.`
  })
  return ['You have 10 turns, 3 of 12 steps, version 1.0, at 12:30 on day 1.', 'loc 12', '', ...around]
}

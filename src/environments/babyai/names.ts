import type { Board } from './simulator/board.js'

/** Everything that can be named in an episode, seen yet or not: `red ball 1`, `red ball 2`, `blue locked door 1`. */
export function namesOf({ things }: Board): readonly string[] {
  const counts = new Map<string, number>()
  for (const { kind, colour } of things.slice(1)) {
    const names =
      kind === 'door' ? ['open', 'closed', 'locked'].map((state) => `${colour} ${state} door`) : [`${colour} ${kind}`]
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].flatMap(([name, count]) =>
    Array.from({ length: count }, (_, index) => `${name} ${String(index + 1)}`),
  )
}

import type { Task } from '../core/environment.js'

/** All tasks, one of each kind after the other, so that the first few are of all kinds; each kind keeps its order. */
export function spreadTasks(tasks: readonly Task[]): readonly Task[] {
  const kinds = new Map<string | undefined, Task[]>()
  for (const task of tasks) {
    const kind = kinds.get(task.kind) ?? []
    kind.push(task)
    kinds.set(task.kind, kind)
  }
  const rounds = Math.max(0, ...Array.from(kinds.values(), ({ length }) => length))
  return Array.from({ length: rounds }, (_, round) => [...kinds.values()].flatMap((kind) => kind[round] ?? [])).flat()
}

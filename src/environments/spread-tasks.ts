import type { Task } from '../core/environment.js'

/** All tasks, of every kind in turn, so that the first few are of all kinds; within a kind they stay in their order. */
export function spreadTasks(tasks: readonly Task[]): readonly Task[] {
  const kinds = new Map<string | undefined, Task[]>()
  for (const task of tasks) {
    const kind = kinds.get(task.kind) ?? []
    kind.push(task)
    kinds.set(task.kind, kind)
  }
  const most = Math.max(0, ...Array.from(kinds.values(), ({ length }) => length))
  return Array.from({ length: most }, (_, turn) => [...kinds.values()].flatMap((kind) => kind[turn] ?? [])).flat()
}

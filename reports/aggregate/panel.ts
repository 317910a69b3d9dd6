import type { PlannedEnvironment } from 'shaketable'
import { hashOf } from 'shaketable'

/**
 * Names what was played in an environment: a hash of its name, version and settings and of its tasks' ids and content,
 * in order. 20 hex digits. Results are of one panel, and can be paired task by task, only where it is equal.
 */
export function panelHash({ name, version, settings, tasks }: PlannedEnvironment): string {
  return hashOf({ name, version, settings, tasks: tasks.map(({ id, hash }) => [id, hash]) }, 20)
}

import { terminalOf } from '../tables/terminal.js'
import { createRandom } from '../core/random.js'
import type { CheckableRun } from '../gate/baseline.js'
import type { Rule } from '../gate/check.js'
import { readBaseline } from '../gate/read-baseline.js'
import { selfTest } from '../gate/self-test.js'
import { describeSelfTest, selfTestTables } from '../gate/self-test-table.js'
import { escapeControls, print, say } from './_lines.js'

/** How the repeats of a run are split, and the baseline that runs are checked against. */
export interface SelfFlags {
  readonly splits?: number
  readonly seed?: string
  readonly baseline?: string
}

const exitStopped = 4

/** `shaketable check RUN --self`: measures the gate's own false-alarm rate on a run's repeats. */
export async function checkSelf({ outcomes, obstacle }: CheckableRun, rule: Rule, flags: SelfFlags): Promise<void> {
  const { splits = 200, seed = '0', baseline } = flags
  if (obstacle !== undefined) {
    say(obstacle)
    process.exitCode = exitStopped
    return
  }
  const result = selfTest(outcomes, rule, {
    splits,
    random: createRandom(seed).fork('splits'),
    ...(baseline !== undefined && { baseline: readBaseline(baseline).outcomes }),
  })
  const notes = result.notes.map((note) => `note: ${note}\n`).join('')
  const parts = [
    terminalOf(selfTestTables(result), process.stdout.columns ?? 120),
    notes,
    describeSelfTest(result).join('\n'),
  ]
  await print(escapeControls(parts.filter((part) => part !== '').join('\n')))
}

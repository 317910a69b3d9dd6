import { Command } from 'commander'
import { terminalOf } from '../tables/terminal.js'
import { createRandom } from '../core/random.js'
import { readBaseline } from '../gate/read-baseline.js'
import { selfTest } from '../gate/self-test.js'
import { describeSelfTest, selfTestTables } from '../gate/self-test-table.js'
import { readRun } from '../run/store/read-run.js'
import type { RuleFlags } from './check.js'
import { checkable, readRule, withRuleOptions } from './check.js'
import { escapeControls, print, say } from './_lines.js'
import { whole } from './_flags.js'

interface SelfTestFlags extends RuleFlags {
  readonly splits: number
  readonly seed: string
  readonly baseline?: string
}

const exitStopped = 4

/** `shaketable aa`: measures the gate's own false-alarm rate on a run's repeats. */
export function aaCommand(): Command {
  return withRuleOptions(new Command('aa'))
    .description(
      "Measures the gate's own false-alarm rate: splits the repeats (seeds) of a run into two halves, many times, and checks one half against the other exactly as check does.",
    )
    .argument('<run>', 'folder of a run with at least 2 seeds')
    .option(...whole('--splits <n>', 'number of splits; all possible ones if there are fewer', 1, 10_000, 200))
    .option('--seed <text>', 'seed of the splits', '0')
    .option('--baseline <file>', 'the baseline that runs are checked against (default: one like the run)')
    .action(test)
}

async function test(folder: string, flags: SelfTestFlags): Promise<void> {
  const rule = readRule(flags)
  const { outcomes, obstacle } = checkable(readRun(folder))
  if (obstacle !== undefined) {
    say(obstacle)
    process.exitCode = exitStopped
    return
  }
  const result = selfTest(outcomes, rule, {
    splits: flags.splits,
    random: createRandom(flags.seed).fork('splits'),
    ...(flags.baseline !== undefined && { baseline: readBaseline(flags.baseline).outcomes }),
  })
  const notes = result.notes.map((note) => `note: ${note}\n`).join('')
  const parts = [
    terminalOf(selfTestTables(result), process.stdout.columns ?? 120),
    notes,
    describeSelfTest(result).join('\n'),
  ]
  await print(escapeControls(parts.filter((part) => part !== '').join('\n')))
}

import { Command } from 'commander'
import { terminalOf } from '../tables/terminal.js'
import { createRandom } from '../core/random.js'
import { selfTest } from '../gate/self-test.js'
import { describeSelfTest, selfTestTables } from '../gate/self-test-table.js'
import { readRun } from '../run/store/read-run.js'
import type { RuleFlags } from './check.js'
import { checkable, readRule, withRuleOptions } from './check.js'
import { harmless, print, say } from './_lines.js'
import { readWhole } from './_flags.js'

interface SelfTestFlags extends RuleFlags {
  readonly splits: string
  readonly seed: string
}

const exitStopped = 4

/** `shaketable aa`: measures the gate's own false-alarm rate on a run's repeats. */
export function aaCommand(): Command {
  return withRuleOptions(new Command('aa'))
    .description(
      "Measures the gate's own false-alarm rate: splits the repeats (seeds) of a run into two halves, many times, and checks one half against the other exactly as check does.",
    )
    .argument('<run>', "a run's folder, of at least 2 seeds")
    .option('--splits <n>', 'how many splits; all where there are no more', '200')
    .option('--seed <text>', 'seed of the splits', '0')
    .action(test)
}

async function test(folder: string, flags: SelfTestFlags): Promise<void> {
  const rule = readRule(flags)
  const splits = readWhole('--splits', flags.splits, 1, 10_000)
  const { outcomes, obstacle } = checkable(readRun(folder))
  if (obstacle !== undefined) {
    say(obstacle)
    process.exitCode = exitStopped
    return
  }
  const found = selfTest(outcomes, rule, { splits, random: createRandom(flags.seed).fork('splits') })
  const notes = found.notes.map((note) => `note: ${note}\n`).join('')
  const said = [
    terminalOf(selfTestTables(found), process.stdout.columns ?? 120),
    notes,
    describeSelfTest(found).join('\n'),
  ]
  await print(harmless(said.filter((part) => part !== '').join('\n')))
}

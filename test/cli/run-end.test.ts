import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import json from '../../reports/json.js'
import { conclude } from '../../src/cli/_run-end.js'
import { makePlan } from '../reports/fixture.js'
import { rowsOfPlan, writeRun } from '../run/_written-run.js'
import { scratchFolder } from '../scratch.js'

const scratch = scratchFolder()

it.each([
  { whole: 20_000, kept: 10, isWritten: true },
  { whole: 20_001, kept: 10, isWritten: false },
  { whole: 20_001, kept: 50_000, isWritten: false },
])(
  'a run of $whole episodes that is stopped with $kept writes its reports: $isWritten',
  async ({ whole, kept, isWritten }) => {
    const folder = join(scratch, `${String(whole)}-${String(kept)}`)
    const plan = makePlan({ columns: ['none', 'placebo'] })
    writeRun(folder, plan, rowsOfPlan(plan, () => 'success').slice(0, 10))
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const output = {
      voice: { say: () => undefined },
      reports: [json],
      quiet: true as const,
    }
    const tally = {
      planned: 50_000,
      already: kept,
      played: 0,
      errors: 0,
      refused: 0,
      models: [],
      messages: new Map(),
      stored: kept,
    }
    await conclude({ folder }, output, { tally, interrupted: true, isPart: false, whole, spent: [] })
    const { exitCode } = process
    process.exitCode = 0
    expect([existsSync(join(folder, 'report', 'report.json')), exitCode]).toEqual([isWritten, 130])
    const text = said.mock.calls.map(([line]) => String(line)).join('')
    said.mockRestore()
    expect(text).toContain(
      `Stopped. ${kept.toLocaleString('en')} of 50,000 episodes are kept in ${folder}; run the same`,
    )
    expect(text.includes(`\`shaketable report ${folder}\` writes its reports.`)).toBe(!isWritten)
  },
)

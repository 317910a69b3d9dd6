import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { follow } from '../../src/cli/runs.js'
import { takeLock } from '../../src/files/lock.js'
import { widthOf } from '../../src/tables/plain.js'
import { makePlan } from '../reports/fixture.js'
import { appendRows, rowsOfPlan, writeRun } from '../run/_written-run.js'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const scratch = scratchFolder()
const plan = makePlan({
  models: ['reader', 'm\u001b[2J\u202e\nodel', ...Array.from({ length: 9 }, (_, at) => `model-${String(at)}`)],
})
const rows = rowsOfPlan(plan, ({ condition, index }) =>
  condition.label === 'none' || index % 2 > 0 ? 'success' : 'failure',
)
const runs = join(scratch, 'runs')
writeRun(join(runs, 'whole'), plan, rows)
writeRun(join(runs, 'sweep', 'a-name\u001b[31m'.repeat(4)), plan, rows.slice(0, 50))
writeRun(join(runs, 'damaged'), plan, rows)
writeFileSync(join(runs, 'damaged', 'plan.json'), '{')

describe('shaketable runs', () => {
  it('lists runs in the width of the terminal, damaged ones too, and shows no character that a terminal acts on', async () => {
    const { code, stdout } = await shaketable(['runs'], scratch)
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(100)
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    expect(lines[0]).toMatch(/^run +state +episodes +success +changed +models/)
    expect(stdout).toMatch(/^whole +complete +792 of 792 +100% → 50% +\d{4}-\d\d-\d\d \d\d:\d\d +11: r/m)
    expect(stdout).toMatch(/^sweep\/a-name.* partial +50 of 792 /m)
    expect(stdout).toMatch(/^damaged +unreadable .*\n {2}.*plan\.json: expected the plan/m)
    expect(lines.at(-1)).toMatch(/^3 runs, /)
  })

  it('shows a run, and everything as JSON', async () => {
    const shown = await shaketable(['runs', 'runs/whole'], scratch)
    expect(shown.stdout).toMatch(
      /^runs\/whole\nstate +complete\nepisodes +792 of 792, 0 in error\ntasks +household: 4 tasks.*\nenvironments +household\n/,
    )
    const { stdout } = await shaketable(['runs', '--json'], scratch)
    const listed = JSON.parse(stdout) as { readonly runs: readonly Record<string, unknown>[] }
    expect(listed.runs.find(({ name }) => name === 'whole')).toMatchObject({
      folder: 'runs/whole',
      state: 'complete',
      episodes: { planned: 792, stored: 792, errors: 0 },
      conditions: ['none', 'placebo', 'agentrefine-1'],
    })
    mkdirSync(join(scratch, 'empty'))
    const empty = await shaketable(['runs', 'empty'], scratch)
    expect(empty).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^There is no run in empty/) as string,
    })
  })

  it('follows a run that another process plays until it ends', async () => {
    const folder = join(scratch, 'followed')
    writeRun(folder, plan, rows.slice(0, 50))
    const lock = takeLock(join(folder, 'lock'))
    const shown: string[] = []
    const following = follow(folder, { write: (text: string) => shown.push(text) }, new AbortController().signal)
    appendRows(folder, rows.slice(50))
    lock.release()
    expect(await following).toMatchObject({ state: 'complete', content: { tally: { already: 792 } } })
    expect(shown.at(-1)).toMatch(/^100% · 792 of 792 episodes/)
  })
})

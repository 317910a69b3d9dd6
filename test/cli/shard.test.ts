import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { linesOf, main, reportOf, shaketable, succeed } from './_command.js'

const scratch = scratchFolder()
const grid =
  'run --env household --tasks 8 --model reader,parrot --perturb placebo --temperatures 0 --seeds 2 --set name=whole'
const rowsIn = (folder: string): string[] => linesOf(join(scratch, 'runs', folder, 'outcomes.jsonl'))

describe('shards of a run', () => {
  it.skipIf(process.platform === 'win32')(
    'played in a shell loop are partial, hold each row of the undivided run once, and merge into its report to the byte',
    async () => {
      await succeed(grid, scratch)
      const loop = `for i in 1 2 3 4; do node ${main} ${grid} --workers 0 --quiet --shard $i/4 || exit 1; done`
      execFileSync('sh', ['-c', loop], { cwd: scratch })
      const shards = [1, 2, 3, 4].map((shard) => `whole-shard-${String(shard)}-of-4`)
      expect(shards.flatMap(rowsIn).sort()).toEqual(rowsIn('whole').sort())
      const planOf = (folder: string): unknown =>
        (JSON.parse(readFileSync(join(scratch, 'runs', folder, 'plan.json'), 'utf8')) as { plan: unknown }).plan
      expect(planOf(shards[0]!)).toEqual(planOf('whole'))
      expect(readFileSync(join(scratch, 'runs', shards[0]!, 'report/tables/robustness.md'), 'utf8')).toContain(
        'PARTIAL',
      )
      const runs = shards.map((name) => join('runs', name))
      const merged = await succeed(['merge', ...runs, '--out', 'runs/merged'], scratch)
      expect(merged.stdout).toContain('has all')
      await succeed('report runs/merged', scratch)
      expect(reportOf(join(scratch, 'runs/merged'))).toEqual(reportOf(join(scratch, 'runs/whole')))
    },
    300_000,
  )

  it('are estimated, continue, and end with what is left to do', async () => {
    const share = `${grid} --shard 2/3`
    const { stdout } = await succeed(`${share} --dry-run`, scratch)
    const planned = Number(/2 of 3: (\d+) episodes/.exec(stdout)![1])
    const first = await shaketable(`${share} --max episodes=3`, scratch)
    expect([first.code, rowsIn('whole-shard-2-of-3').length]).toEqual([4, 3])
    const second = await succeed(share, scratch)
    expect(rowsIn('whole-shard-2-of-3').length).toBe(planned)
    expect(second.stderr).toMatch(/of its \d+ planned episodes; its reports are partial\./)
    expect((await succeed(share, scratch)).stdout).toContain('PARTIAL')
  })
})

import { describe, expect, it } from 'vitest'
import { join } from 'node:path'
import { scratchFolder } from '../scratch.js'
import { rowsOf, shaketable } from './_command.js'

const folder = scratchFolder()
const args = [
  'search',
  '--family',
  'synonyms:intensity=0.1',
  '--tasks',
  '8',
  '--seeds',
  '1',
  '--out',
  'found',
  '--json',
]

describe('shaketable search', () => {
  it('finds the worst draw, stores its episodes as a run, and plays nothing twice', async () => {
    const first = await shaketable(args, folder)
    expect(first.code).toBe(0)
    const { results } = JSON.parse(first.stdout) as {
      results: { name: string; draws: number; heldOut: { tasks: number } }[]
    }
    expect(results.map(({ name, draws, heldOut }) => [name, draws, heldOut.tasks])).toEqual([
      ['synonyms:intensity=0.1', 5, 4],
      ['clean-repeats', 5, 4],
    ])
    const keys = rowsOf(join(folder, 'found')).map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
    expect((await shaketable(args, folder)).stdout).toBe(first.stdout)
    expect(rowsOf(join(folder, 'found'))).toHaveLength(keys.length)
    expect((await shaketable(['show', 'found'], folder)).stdout).toContain(
      `${String(keys.length)} of 88 episodes are stored`,
    )
  })

  it.each([
    ['a family without draws', ['--family', 'placebo'], /^--family: expected one perturbation with several draws/],
    [
      'more draws than there are',
      ['--family', 'synonyms', '--draws', '9'],
      /^--draws: 'synonyms' has 5 draws, got 9\./,
    ],
    [
      'a budget that is too small',
      ['--family', 'synonyms', '--tasks', '8', '--budget', '9'],
      /^--budget: expected at least \d+ episodes/,
    ],
    ['two environments', ['--family', 'synonyms', '--env', 'household,babyai'], /^--env: expected one, got 2\./],
    ['too few tasks', ['--family', 'synonyms', '--tasks', '3'], /^--tasks: expected at least 4 tasks/],
  ])('refuses %s in one sentence', async (_, given, message) => {
    const { code, stderr } = await shaketable(['search', ...given], folder)
    expect([
      code,
      stderr
        .split('\n')
        .filter((line) => line.startsWith('--'))
        .join(),
    ]).toEqual([2, expect.stringMatching(message)])
  })
})

import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { TerminalOptions } from '../../src/cli/play.js'
import { playInTerminal } from '../../src/cli/play.js'
import { definePerturbation, rewordActions } from '../../src/core/perturbation.js'
import { createRandom } from '../../src/core/random.js'
import { openEnvironment } from '../../src/environments/index.js'

const environment = await openEnvironment('household')
const task = environment.tasks[0]!
const solution = (await (await environment.begin(task, createRandom('0'))).solve!())!

const walk = definePerturbation({
  name: 'walk',
  summary: '',
  source: 'a test',
  promise: 'invariant',
  open: () => rewordActions({ 'go to {recep}': 'walk to {recep}' }),
})

/** What the terminal shows to a person who types these lines. */
async function type(lines: readonly string[], options: Partial<TerminalOptions> = {}): Promise<string[]> {
  const input = new PassThrough()
  const output = new PassThrough()
  const seen = text(output)
  input.end(lines.map((line) => `${line}\n`).join(''))
  await playInTerminal({ environment, task, applied: [], raw: false, seed: '0', ...options, input, output })
  output.end()
  return stripVTControlCharacters(await seen).split('\n')
}

describe('play in a terminal', () => {
  it('shows the goal, then the result of each action, until the end', async () => {
    const shown = await type(['jump.', ...solution, 'look'])
    expect(shown[0]).toContain(task.id)
    expect(shown[1]).toBe(`Goal: ${task.goal}`)
    expect(shown[2]).toMatch(/^You are in the middle of a room\./)
    expect(shown.slice(3, 5)).toEqual(['> Nothing happens.', '  progress 0.00, not understood'])
    expect(shown.slice(-3)).toEqual(['  progress 1.00', 'success', ''])
  })

  it('shows both wordings of a perturbed task', async () => {
    const place = solution.find((command) => command.startsWith('go to '))!
    const shown = await type([place, place.replace('go', 'walk')], { applied: [{ perturbation: walk }] })
    expect(shown.slice(3, 6)).toEqual([
      '> Nothing happens.',
      '  refused: the old wording',
      '  progress 0.00, not understood',
    ])
    expect(shown[7]).toBe(`  environment: ${place}`)
  })
})

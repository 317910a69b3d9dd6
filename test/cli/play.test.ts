import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { playInTerminal } from '../../src/cli/play.js'
import { definePerturbation, rewordActions } from '../../src/core/perturbation.js'
import { createRandom } from '../../src/core/random.js'
import { openEnvironment } from '../../src/environments/index.js'
import { main } from './_command.js'

const household = await openEnvironment('household')
const task = household.tasks[0]!
const solution = (await (await household.begin(task, createRandom('0'))).solve!())!

const walk = definePerturbation({
  name: 'walk',
  summary: '',
  source: 'a test',
  promise: 'invariant',
  open: () => rewordActions({ 'go to {recep}': 'walk to {recep}' }),
})

describe('play in a terminal', () => {
  it('shows the goal, both wordings, and what each action did, until the end', async () => {
    const place = solution.find((command) => command.startsWith('go to '))!
    const lines = [place, ...solution.map((command) => command.replace(/^go/, 'walk')), 'look']
    const [input, output] = [new PassThrough(), new PassThrough()]
    const seen = text(output)
    input.end(lines.map((line) => `${line}\n`).join(''))
    const applied = [{ perturbation: walk }]
    await playInTerminal({ environment: household, task, applied, seed: '0', input, output })
    output.end()
    const shown = stripVTControlCharacters(await seen).split('\n')
    expect(shown.slice(0, 2)).toEqual([expect.stringContaining(task.id), `Goal: ${task.goal}`])
    expect(shown).toEqual(
      expect.arrayContaining([
        '> Nothing happens.',
        '  refused: the old wording',
        '  progress 0.00, not understood',
        `  environment: ${place}`,
      ]),
    )
    expect(shown.slice(-3)).toEqual(['  progress 1.00', 'success', ''])
  })

  it('ends with quit, although its input stays open', async () => {
    const child = spawn(process.execPath, [main, 'play', 'babyai'], { stdio: ['pipe', 'ignore', 'ignore'] })
    child.stdin.write('turn left\nquit\n')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

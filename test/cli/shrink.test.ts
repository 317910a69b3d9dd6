import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEnvironment } from '../../src/environments/index.js'
import { createRandom } from '../../src/index.js'
import { syncWorld } from '../sync-world.js'
import { scratchFolder } from '../scratch.js'
import { rowsOf, shaketable } from './_command.js'
import { closeServer, serveChat } from './_served.js'

const folder = scratchFolder()
const run = 'run'
const path = join(folder, run)
const grid = '--tasks 2 --perturb synonyms --model reader,parrot --seeds 1 --temperatures 0'
const played = shaketable(`run --env household ${grid} --out ${run}`, folder)
const rowOf = async (condition: string, model: string, outcome: string) => {
  await played
  return rowsOf(path).find((row) => row.condition === condition && row.model === model && row.outcome === outcome)!
}
const sentence =
  /Only `go to \{recep\}` → `walk to \{recep\}` by synonyms is needed to lose this task, of \d+ changes: 8 of 8 replays were lost with it, and 0 of 8 without any change\./

describe('shaketable shrink', () => {
  it('stops at its budget with what it has so far', async () => {
    const { key } = await rowOf('synonyms', 'parrot', 'step-limit')
    const first = await shaketable(['shrink', run, key.slice(0, 10), '--budget', '60'], folder)
    expect([first.code, first.stdout]).toEqual([4, expect.stringMatching(/Not finished \(the budget of 60 calls/)])
  })

  it('finds the change that lost a pair, in words and as JSON', async () => {
    const { key } = await rowOf('synonyms', 'parrot', 'step-limit')
    const { code, stdout } = await shaketable(['shrink', run, key], folder)
    expect([code, stdout]).toEqual([0, expect.stringMatching(sentence)])
    const json = await shaketable(['shrink', run, key, '--json'], folder)
    const found = { key, state: 'found', changes: [{ of: 'go to {recep}' }] }
    expect(JSON.parse(json.stdout)).toMatchObject({ ...found, sentence: expect.stringMatching(sentence) as string })
  })

  it('refuses episodes that did not lose anything', async () => {
    const { key } = await rowOf('synonyms', 'reader', 'success')
    const { code, stderr } = await shaketable(['shrink', run, key], folder)
    expect([code, stderr]).toEqual([2, expect.stringContaining('Expected a perturbed episode that failed')])
  })

  it('plays the model of the run again on its server, and stops if that does not answer', async () => {
    const environment = await openEnvironment('household')
    const plan = syncWorld(await environment.begin(environment.tasks[0]!, createRandom('0'))).solve()!
    const baseUrl = await serveChat(({ messages }) => {
      const text = messages.at(-1)!.content
      const actions = text.slice(text.lastIndexOf(environment.tasks[0]!.goal)).split('\nAction:').length - 2
      return { content: plan[actions] ?? 'look' }
    })
    const limits = '--agent act --seeds 1 --temperatures 0 --no-probe --set attempts=1 --out live'
    const served = `--model tuned --base-url ${baseUrl} ${limits}`
    await shaketable(`run --env household --tasks 1 --perturb agentrefine-2 ${served}`, folder)
    const { key } = rowsOf(join(folder, 'live')).find(({ condition }) => condition === 'agentrefine-2')!
    const found = await shaketable(['shrink', 'live', key, '--seeds', '3'], folder)
    expect([found.code, found.stdout]).toEqual([
      0,
      expect.stringMatching(
        /Only `go to \{recep\}` → `move to \{recep\}` by agentrefine-2 is needed .* 6 of 6 replays/,
      ),
    ])
    closeServer()
    const gone = await shaketable(['shrink', 'live', key, '--seeds', '4'], folder)
    expect([gone.code, gone.stdout]).toEqual([4, expect.stringMatching(/Not finished/)])
    expect(gone.stderr).not.toMatch(/ {4}at /)
  })
})

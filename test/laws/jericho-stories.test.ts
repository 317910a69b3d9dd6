import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { defineEnvironment } from '../../src/define/environment.js'
import { createJericho, jerichoCard } from '../../src/environments/jericho/environment.js'
import { checkConforms } from '../../src/laws/conforms.js'
import { informLibrary } from '../environments/jericho/dfrotz.js'
import { scratchFolder } from '../scratch.js'
import { outcomes } from './describe.js'

const [source, file] = ['test/fixtures/jericho/cottage.inf', join(scratchFolder(), 'cottage.z8')]
const isCompiled =
  informLibrary !== undefined &&
  spawnSync('inform', ['-v8', `+include_path=${informLibrary}`, source, file]).status === 0

const families = perturbations.filter(
  ({ environment, promise, takesColumn, enlarges }) =>
    (environment === undefined || environment === 'jericho') && promise !== 'identity' && !takesColumn && !enlarges,
)

const script = [
  ...['take iron key', 'unlock oak door with iron key', 'open oak door', 'north', 'open chest', 'take oil lamp'],
  ...['turn on oil lamp', 'down', 'drink wine'],
]

/** A story of Inform's library that no perturbation was made for: it has verbs of its own, and names with "of". */
describe.skipIf(!isCompiled)("every family on a story of Inform's library", async () => {
  const task = { id: 'cottage', goal: 'Drink the wine.', start: [], subGoals: ['You have won'], script }
  const environment = await defineEnvironment({
    ...jerichoCard,
    options: {},
    open: () =>
      createJericho({
        source: {
          files: [
            { name: 'cottage', bytes: isCompiled ? readFileSync(file) : new Uint8Array(), seed: 3, tasks: [task] },
          ],
          isAgentBoards: false,
          notes: [],
        },
        rules: 'agentboard',
        grounding: 'engine',
        data: { kind: 'files' },
      }),
  }).open()

  it('can be checked, since the story conforms', async () => {
    expect((await checkConforms(environment, environment.tasks, '0')).misfits).toEqual([])
  })

  it.each(families.map((one) => [one.name, one] as const))('keeps its promises: %s', async (_, perturbation) => {
    const seen = await outcomes({ environment, tasks: environment.tasks, label: 'cottage' }, [{ perturbation }])
    expect(seen.filter((one) => one !== 'unchanged' && one !== 'holds')).toEqual([])
    expect(seen).not.toEqual([])
  })
})

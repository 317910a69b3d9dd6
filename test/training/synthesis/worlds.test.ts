import { expect, it } from 'vitest'
import { createRandom, hashOf } from '../../../src/index.js'
import { beginScript } from '../../../src/environments/scripted/game.js'
import { readPlayable } from '../../../src/environments/scripted/read-playable.js'
import { checkTrajectory, checkedScript } from '../../../src/training/synthesis/check-trajectory.js'
import { drawScript } from '../../../src/training/synthesis/draw-script.js'
import { trajectoryPrompt } from '../../../src/training/synthesis/prompts.js'
import { ownPersonas } from '../../../src/training/synthesis/read-personas.js'
import { createDuplicateFinder } from '../../../src/training/synthesis/similarity.js'
import { teacher } from '../../../src/training/synthesis/teacher.js'
import { readScript } from '../../../src/training/verify/script.js'
import { masterTurn } from '../../../src/training/verify/turn.js'
import { profiles } from '../../../src/training/verify/verify-trajectory.js'
import { honey, rightActions, turnsOf } from './_honey.js'

const random = createRandom('a thousand scripts')
const scripts = ownPersonas().map((persona) => drawScript(persona, random))

it('drawn scripts are the same for the same seed, and differ from one another', () => {
  expect(hashOf(JSON.stringify(scripts), 16)).toMatchInlineSnapshot(`"0424555351a65024"`)
  const twinOf = createDuplicateFinder()
  expect(scripts.filter((script, at) => twinOf(String(at), script) !== undefined).length).toBeLessThanOrEqual(5)
})

it('drawn scripts can all be solved in 4 to 20 steps, and are read for verification without a problem', () => {
  for (const script of scripts) {
    const steps = beginScript(readPlayable(script)).solve()?.length
    expect(steps).toBeGreaterThanOrEqual(4)
    expect(steps).toBeLessThanOrEqual(20)
    const { actions, problems } = readScript(script)
    expect(problems).toEqual([])
    for (const { template, slots } of actions) {
      const action = slots.reduce((text, { name, values }) => text.replace(`{${name}}`, values![0]!), template)
      expect(actions.filter(({ pattern }) => pattern!.match(action, 'all')).map((one) => one.template)).toEqual([
        template,
      ])
    }
  }
})

const script = checkedScript(honey)
const right = turnsOf(rightActions)
const changed = (place: number, change: Record<string, unknown>) =>
  right.map((turn, index) => (index === place ? { ...turn, ...change } : turn))
const [first, second, ...rest] = rightActions

it('a trajectory in the world of its script holds with two mistakes that are corrected', () => {
  expect(checkTrajectory(right, script, profiles.strict)).toMatchObject({ accepted: true, errors: 2 })
})

it.each([
  ['the DM accepts it', turnsOf([first, second, 'take jar of honey from chest', ...rest]), 'world-refuses', 6, 5],
  ['the DM flags it', turnsOf(['walk to cellar !place_error', ...rightActions]), 'world-accepts', 2, 1],
  ['the goal is not reached', turnsOf(rightActions.slice(0, 7)), 'unfinished', 15, 0],
  ['there is an open slot', changed(5, { Thought: 'I say {thing} now.' }), 'tags', 6, 5],
  ['there is a mark of a chat template', changed(6, { Observation: 'Well.<|im_end|>' }), 'tags', 7, 5],
  ['there is a role', changed(6, { Observation: 'Well.\nPlayer: open chest' }), 'tags', 7, 5],
  ['success comes early', changed(6, { Observation: 'Task Succeed' }), 'tags', 7, 5],
  ['the Player claims success', changed(5, { Thought: 'Task succeeded already.' }), 'tags', 6, 5],
])('a trajectory in the world of its script is refused where %s', (_, turns, rule, position, verified) => {
  const verdict = checkTrajectory(turns, script, profiles.strict)
  expect(verdict.rejection).toMatchObject({ rule, position })
  expect(verdict.verified).toHaveLength(verified)
})

const ask = async (messages: Parameters<typeof teacher.complete>[0], seed = 0): Promise<unknown> =>
  JSON.parse((await teacher.complete(messages, { temperature: 0, seed, maxTokens: 1000, stop: [] })).text)
const opening = masterTurn(0, `${honey.Goal}\nThe places are: kitchen, cellar.`)

it('the teacher makes as many mistakes as are asked for, each corrected', async () => {
  for (const mistakes of [0, 1, 2, 4]) {
    const turns = (await ask(trajectoryPrompt({ source: honey, mistakes }, [opening]), mistakes)) as unknown[]
    if (mistakes === 2) expect(hashOf(turns, 16)).toMatchInlineSnapshot(`"4c3e19da4ba8857f"`)
    const verify = { ...profiles.strict, minErrorTurns: mistakes }
    expect(checkTrajectory([opening, ...turns], checkedScript(honey), verify)).toMatchObject({
      accepted: true,
      errors: mistakes,
    })
  }
})

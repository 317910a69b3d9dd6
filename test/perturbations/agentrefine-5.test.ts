import { beforeAll, describe, expect, it } from 'vitest'
import agentrefine5 from '../../perturbations/agentrefine-5.js'
import { readEvaluation } from '../../src/cli/filter-ind.js'
import { type DropReason, type EvaluationText, type TrainingRow, createRandom } from '../../src/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { shipped } from '../../src/run/registry.js'
import { inDomainRows, otherRows, rewrittenRows } from '../training/sample-rows.js'
import { syncWorld } from '../sync-world.js'

const environments = agentrefine5.environments.map(({ name }) => name)
let evaluation: readonly EvaluationText[] = []
let test: (row: TrainingRow, file?: string) => readonly DropReason[]

beforeAll(async () => {
  evaluation = await readEvaluation(agentrefine5.environments, [], shipped)
  const open = agentrefine5.open({ environments, evaluation })
  test = (row, file = 'data.json') => [open(row, { file }) ?? []].flat()
}, 30_000)

const rulesOf = (reasons: readonly DropReason[]): string[] =>
  reasons.map(({ environment, rule }) => `${environment ?? ''}/${rule}`)

describe('agentrefine-5', () => {
  it.each([
    ['alfworld_17 ALFWorld/17 train_alfworld_3 alfworld17 household_4', 'alfworld'],
    ['sciworld_0 scienceworld_0', 'scienceworld'],
    ['babyai_0', 'babyai'],
    ['pddl_5 gripper_5', 'pddl'],
    ['jericho_1', 'jericho'],
  ])('recognises the ids %s', (ids, environment) => {
    for (const id of ids.split(' '))
      expect([id, ...rulesOf(test({ id, turns: [] }))]).toEqual([id, `${environment}/id`])
  })

  it.each([
    ['alfworld.json', 'alfworld'],
    ['alfworld_sft.json', 'alfworld'],
    ['alfworld-00000-of-00001-302ad687bb3817a4.jsonl', 'alfworld'],
    ['sciworld_train_v2.jsonl', 'scienceworld'],
  ])('recognises the file %s', (file, environment) => {
    expect(rulesOf(test({ turns: [] }, file))).toEqual([`${environment}/file`])
  })

  it.each([
    [{ split: 'alfworld' }, ['alfworld/file']],
    [{ source: 'AgentInstruct/alfworld' }, ['alfworld/file']],
    [{ game_file: 'alfworld/json_2.1.1/train/pick-1/game.tw-pddl' }, ['alfworld/file']],
    [{ env: 'household' }, ['alfworld/file']],
    [{ comment: 'unlike alfworld' }, []],
    [{ task: 'clean my household' }, []],
  ] as const)('reads the labels %j', (labels, rules) => {
    expect(rulesOf(test({ turns: [], labels }))).toEqual(rules)
  })

  it.each(Object.entries(inDomainRows))('recognises rows of %s by their text', (environment, turns) => {
    const found = rulesOf(test({ turns }))
    expect(found).toContain(`${environment}/fingerprint`)
    expect(found.every((rule) => rule.startsWith(`${environment}/`))).toBe(true)
  })

  it.each(Object.entries(rewrittenRows))('recognises rows of %s without ids, rewritten', (name, turns) => {
    const environment = name.split(' ')[0]!
    const found = rulesOf(test({ turns }))
    expect(found).not.toEqual([])
    expect(found.every((rule) => rule.startsWith(`${environment}/`))).toBe(true)
  })

  it.each(Object.entries(otherRows))('keeps rows of %s', (name, turns) => {
    expect(test({ id: `${name}_1`, turns }, `${name}.json`)).toEqual([])
  })

  it('recognises a row that has only the words of its task in common with an environment', () => {
    const room = evaluation.find(({ environment, text }) => environment === 'alfworld' && text.includes('drawer 3'))!
    const things = room.text.slice(room.text.indexOf('you see') + 8).replace(/\d+/g, '7')
    const row: TrainingRow = { turns: [{ role: 'user', text: `Here is a list: ${things}` }] }
    expect(rulesOf(test(row))).toContain('alfworld/overlap')
    const without = agentrefine5.open({ environments, evaluation: [] })
    const before = [without(row, { file: 'x' }) ?? []].flat()
    expect(rulesOf(before)).not.toContain('alfworld/overlap')
  })

  it('detects every unseen training task of the environments by its words alone, however its format is rewritten', async () => {
    for (const [kind, name] of [
      ['household', 'alfworld'],
      ['babyai', 'babyai'],
      ['pddl', 'pddl'],
    ] as const) {
      const environment = await openEnvironment(kind, { split: 'train' })
      const random = createRandom('tasks')
      const missed: string[] = []
      for (const task of random.shuffle(environment.tasks).slice(0, 40)) {
        const world = await environment.begin(task, random.fork(task.id))
        const talk: string[] = [
          `I wonder about this: ${world.originalOpening.replace('You are in the middle of a room. Looking quickly around you, you', 'I')}`,
        ]
        for (const action of (syncWorld(world).solve() ?? []).slice(0, 12)) {
          talk.push(`Then I would ${action}, please.`, (await world.step(action)).original)
        }
        const roles = ['user', 'assistant'] as const
        const turns = talk.map((text, index) => ({ role: roles[index % 2]!, text }))
        const found = rulesOf(test({ turns }))
        if (!found.some((rule) => rule.startsWith(`${name}/`))) missed.push(task.id)
      }
      expect({ kind, missed }).toEqual({ kind, missed: [] })
    }
  }, 60_000)
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEnvironment } from '../../../src/environments/index.js'
import { writeFolder } from './small-games.js'
import { scratchFolder } from '../../scratch.js'

const scratch = scratchFolder()
const data = writeFolder(join(scratch, 'data'))
const file = (name: string, text: string): string => {
  writeFileSync(join(scratch, name), text)
  return join(scratch, name)
}

async function complaint(options: Readonly<Record<string, unknown>>, id?: string): Promise<string> {
  try {
    const environment = await openEnvironment('pddl', options)
    return `no complaint: ${JSON.stringify(id === undefined ? environment.tasks : environment.find(id))}`
  } catch (thrown) {
    return (thrown as Error).message.replaceAll(scratch, 'FOLDER')
  }
}

const row = (subtask: string, difficulty: string): string =>
  JSON.stringify({ id: 0, task: 'pddl', goal: 'x', subgoals: ['x'], difficulty, additional_info: { subtask } })

describe("AgentBoard's folder", () => {
  it('is numbered game by game in the order of file names by code point', async () => {
    const environment = await openEnvironment('pddl', { data })
    expect(environment.tasks.map(({ id }) => id)).toEqual(
      ['gripper', 'blockworld', 'barman', 'tyreworld'].flatMap((game) => [0, 1, 2].map((index) => `${game}/${index}`)),
    )
    writeFileSync(join(data, 'tyreworld', 'problem10.pddl'), '(define (problem')
    const { tasks, find } = await openEnvironment('pddl', { data, games: 'gripper' })
    expect([tasks.length, find('gripper/2').goal]).toEqual([3, tasks[2]!.goal])
    expect(await complaint({ data }, 'tyreworld/1')).toMatch(
      /^FOLDER\/data\/tyreworld\/problem10\.pddl, line 1, column 9: expected '\)' for this '\(', got the end of the text\./,
    )
    writeFolder(data)
  })

  it.each<[string, Record<string, unknown>, string | undefined, string]>([
    ['a folder without games', { data: scratch }, undefined, "Expected AgentBoard's PDDL games in FOLDER"],
    ['a task that is not there', { data }, 'gripper/3', "no PDDL game 'gripper/3'. Did you mean 'gripper/0'?"],
    [
      'invalid labels',
      { data, labels: file('bad.jsonl', `${row('gripper', 'easy')}\n{"id": 1}`) },
      undefined,
      'FOLDER/bad.jsonl:2: expected a task with additional_info and difficulty',
    ],
  ])('refuses %s', async (_, options, id, words) => {
    expect(await complaint(options, id)).toContain(words)
  })
})

describe('our own games', () => {
  it('are found by their ids in either split, whichever is selected', async () => {
    const environment = await openEnvironment('pddl', { games: 'barman' })
    expect(new Set(environment.tasks.map(({ kind }) => kind))).toEqual(new Set(['barman']))
    expect(environment.find('train/gripper/3').kind).toBe('gripper')
    expect((await openEnvironment('pddl', { split: 'train' })).find('tyreworld/9').id).toBe('tyreworld/9')
    expect(await complaint({}, 'griper/0')).toBe(
      "There is no PDDL game 'griper/0'. Did you mean 'gripper/0'? Games of our own are called such as 'gripper/0' and 'train/gripper/0'; for AgentBoard's give 'data'.",
    )
  })
})

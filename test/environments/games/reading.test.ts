import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readLoosely } from '../../../src/environments/games/read-loosely.js'
import { sentencesOf } from '../../../src/environments/games/sentences.js'
import { wordsOf } from '../../../src/environments/games/tokens.js'
import { readJsonLines, sharedData, sharedRows } from '../../shared-data.js'
import { textOf } from '../../../src/core/text.js'
import { type TextGame, createTextGame } from '../../../src/environments/games/text-game.js'
import type { GameName } from '../../../src/environments/games/wording.js'
import { smallGame } from './small-games.js'

const names = ['ball1', 'ball2', 'rooma', 'roomb', 'left', 'right']
const grabbed = { ball: 'ball1', room: 'rooma', gripper: 'left' }
const grab = 'Grab {ball} in {room} with arm {gripper}'
const templates = [
  grab,
  'drop {ball} {room} {gripper}',
  '{gripper} move in {room}',
  'list what can be done',
  'look around',
  'wait',
]

it.each<[string, string | undefined, Record<string, string>?]>([
  ['Grab ball1 in rooma with arm left', grab, grabbed],
  ['Now grab the ball1 (it is in rooma), please, with your left arm.', grab, grabbed],
  ['grab ball1. then drop ball2 roomb right', grab, { ball: 'ball1', room: 'ball2', gripper: 'roomb' }],
  ['left move in rooma', templates[2], { gripper: 'left', room: 'rooma' }],
  ['drop ball1 rooma', undefined],
  ['please LIST what can be done', 'list what can be done', {}],
  ['', undefined],
])('reading by a list of templates %j', (text, template, filling) => {
  expect(readLoosely(text, templates, names)).toEqual(template === undefined ? undefined : { template, filling })
})

interface Recorded {
  readonly text: string
  readonly sentences: readonly string[]
  readonly words: readonly string[]
  /** What decides in the model: nothing, its abbreviations, or its table of spellings. */
  readonly needs?: string
}

const read = ({ text }: Recorded): Recorded => ({ text, sentences: sentencesOf(text), words: wordsOf(text) })

describe('words and sentences', () => {
  it('equal those of NLTK for 180 texts typical of models', () => {
    // Our own texts. Their sentences and words come from NLTK with the rules of 3.8 and the model's lists.
    const recorded = readJsonLines<Recorded>(fileURLToPath(new URL('../../fixtures/nltk-words.jsonl', import.meta.url)))
    expect(recorded.map(read)).toEqual(recorded)
    expect(recorded).toHaveLength(180)
  })

  it.skipIf(sharedData === undefined)('equal those recorded from NLTK 3.8 with its English model', () => {
    const recorded = sharedRows<Recorded>('pddl/nltk-tokens.jsonl')
    const decided = recorded.filter(({ needs }) => needs !== 'orthography')
    expect(decided.map((one) => ({ ...read(one), needs: one.needs }))).toEqual(decided)
    expect(decided.length).toBeGreaterThan(2000)
  })
})

const unread = 'The action is not valid and therefore takes no effect. Please check valid actions.'
const idle =
  'The action is not valid and therefore takes no effect. Please remember to satisfy the restriction of actions. You can also check valid actions.'

const begin = (game: GameName): TextGame => createTextGame(smallGame(game))

it.each<[GameName, string, string | undefined]>([
  ['gripper', 'PICK ball1 rooma right', undefined],
  ['gripper', 'Pick up ball1 at rooma with arm left. ', undefined],
  ['gripper', 'Please pick the ball1, it is in rooma, with your left arm.', undefined],
  ['gripper', 'pick ball1 rooma left right', undefined],
  ['gripper', 'ball1 rooma left pick', undefined],
  ['gripper', 'pick ball1 left rooma', idle],
  ['gripper', 'pick up ball1', unread],
  ['gripper', 'move roomb rooma', idle],
  // No ball is carried, so nothing can be dropped and the word is skipped.
  ['gripper', 'drop ball1 rooma left', unread],
  ['gripper', 'drop it and move from rooma to roomb', undefined],
  ['gripper', '', unread],
  ['blockworld', 'pickup "b1"', undefined],
  ['blockworld', "pickup 'b1'", unread],
  ['blockworld', 'Action: pickup b1', undefined],
  ['blockworld', 'pick up b1', unread],
  ['blockworld', 'pickup b1.b2', unread],
  ['tyreworld', 'open wrench', idle],
  ['tyreworld', 'Open the boot', undefined],
  ['barman', 'right hand grasp shot1', undefined],
  ['barman', 'clean-shaker', unread],
])('the actions that a game understands %s: %s', (name, action, rejection) => {
  const game = begin(name)
  const before = game.admissible()
  const isUnderstood = rejection === undefined
  expect(game.understands(action)).toBe(isUnderstood)
  const { observation: text, understood } = game.step(action)
  expect(understood).toBe(isUnderstood)
  if (isUnderstood) return
  expect(textOf(text)).toBe(rejection)
  // As data, so that another wording reaches it.
  expect(text).toContainEqual({ command: 'check valid actions' })
  expect(game.admissible()).toEqual(before)
})

it('progress is the largest share of conditions after an action that changed something, the initial ones included only then', () => {
  const game = begin('gripper')
  const progress = (action: string): number => game.step(action).progress
  expect(['check', 'look around', 'fly', 'move rooma rooma'].map(progress)).toEqual([0, 0, 0, 0])
  expect(progress('move rooma roomb')).toBe(2 / 3)
  expect(progress('pick ball2 roomb left')).toBe(2 / 3)
  expect(progress('check')).toBe(2 / 3)
})

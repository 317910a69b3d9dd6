import { describe, expect, it } from 'vitest'
import { checkWording } from '../../src/training/paraphrase.js'

const names = ['desk', 'red ball', 'red ball 1']

describe('a wording of a goal', () => {
  it.each<[string, string, string | undefined]>([
    ['put two {obj} in {recep}', 'place two {obj} into {recep}', undefined],
    ['put two {obj} in {recep}', 'place {obj} into {recep}', 'its numbers differ'],
    ['put two {obj} in {recep}', 'place two {obj} into it', 'its slots differ'],
    ['put two {obj} in {recep}', 'place two {obj} into {recep} {recep}', 'its slots differ'],
    ['put two {obj} in {recep}', 'Put  two {obj} in {recep}.', 'it is the original'],
    ['go to the red ball 1', 'walk to the red ball 1', undefined],
    ['look at the desk', 'examine the desktop', "it lacks 'desk'"],
    ['look at the desk', `look ${'very '.repeat(60)}well at the desk`, 'it is more than three times as long'],
    ['look at the desk', 'examine the\u0007 desk', 'it has control characters'],
  ])('%s → %s', (text, wording, expected) => {
    expect(checkWording({ text, isAction: false, names }, wording)).toBe(expected)
  })
})

describe('a wording of an action', () => {
  it.each<[string, string, string | undefined]>([
    ['take {obj} from {recep}', 'grab {obj} out of {recep}', undefined],
    ['take {obj} from {recep}', 'grab {obj} {recep}', 'no word stands between its items'],
    ['take {obj} from {recep}', '{obj}, {recep}', 'it has no word of its own'],
    ['pick {ball} {room}', 'grab {ball} {room}', undefined],
  ])('%s → %s', (text, wording, expected) => {
    expect(checkWording({ text, isAction: true, names }, wording)).toBe(expected)
  })
})

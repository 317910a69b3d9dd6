import { createRandom } from '../../../src/core/random.js'
import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compile, hasFrotz, informLibrary, playDfrotz, playMachine, scripts } from './dfrotz.js'
import { roomsCommands, story, storyFolder, versions } from './stories.js'

const cases = Object.entries(scripts).flatMap(([name, script]) =>
  versions.map((version) => ({ name, version, lines: script(version) })),
)

describe('a story of our own prints what dfrotz printed', () => {
  it.each(cases)('$name, version $version', ({ name, version, lines }) => {
    const recorded = readFileSync(join(storyFolder, `${name}.z${version}.txt`), 'utf8')
    expect(recorded.length).toBeGreaterThan(500)
    expect(playMachine(story(name, version), lines)).toBe(recorded)
  })
})

describe.skipIf(!hasFrotz)('a story compiled now prints what dfrotz prints now', () => {
  it.each(cases)('$name, version $version', async ({ name, version, lines }) => {
    const bytes = compile(join(storyFolder, `${name}.inf`), version)
    const expected = playDfrotz(bytes, lines)
    await expect(expected).toMatchFileSnapshot(join(storyFolder, `${name}.z${version}.txt`))
    expect(playMachine(bytes, lines)).toBe(expected)
  })
})

describe.skipIf(!hasFrotz)('a small world prints what dfrotz prints for random lines', () => {
  it.each(versions)('version %i', (version) => {
    const random = createRandom(`rooms ${version}`)
    const commands = roomsCommands.filter((command) => command !== 'save' && command !== 'restore')
    const letters = [...'abc ,."xyz0äÖß?']
    const lines = Array.from({ length: 800 }, () =>
      random.int(8) > 0
        ? random.pick(commands)
        : Array.from({ length: random.int(40) }, () => random.pick(letters)).join(''),
    )
    const expected = playDfrotz(story('rooms', version), [...lines, 'quit'])
    expect(expected.split('\n').length).toBeGreaterThan(1500)
    expect(playMachine(story('rooms', version), [...lines, 'quit'])).toBe(expected)
  })
})

describe.skipIf(!hasFrotz || informLibrary === undefined)(
  'a story with the library of Inform prints what dfrotz prints',
  () => {
    it.each([5, 8])('version %i', (version) => {
      const bytes = compile(join(storyFolder, 'cottage.inf'), version, [`+include_path=${informLibrary}`])
      const lines = [...cottageLines, ...randomLines(1000), 'quit', 'y']
      const expected = playDfrotz(bytes, lines)
      expect(expected).toContain('*** You have won ***')
      expect(expected.split('\n').length).toBeGreaterThan(2000)
      expect(playMachine(bytes, lines)).toBe(expected)
    })
  },
)

const cottageLines = [
  ...['look', 'x mat', 'take key', 'unlock door with key', 'open door', 'n', 'x me', 'take all', 'open chest'],
  ...['take lamp from chest', 'i', 'kiss cat', 'give key to cat', 'turn on lamp. d', 'look', 'take bottle', 'drop all'],
  ...['take all but lamp', 'take wine, lamp', 'undo', 'score', 'up', 'put key in chest then close chest', 'again', 'g'],
  ...['z', 'jump', 'xyzzy', 'ask cat about mouse', 'cat, jump', 'pronouns', 'objects', 'places', 'turn lamp on'],
  ...['swing all', 'oops key'],
  ...['d', 'drink wine', 'undo', 'turn off lamp', 'look', 'drink wine', 'restart'],
]

/** Commands of two or three words that the story knows, in any order. */
function randomLines(count: number): readonly string[] {
  const random = createRandom('walk')
  const verbs =
    'take,drop,x,open,close,enter,put,kiss,push,search,unlock,wave,eat,wear,give,turn on,tell,look under'.split(',')
  const nouns = 'door,mat,key,chest,lamp,cat,wine,all,me,it,nothing,,key and lamp,all but key,lamp. x key'.split(',')
  const others =
    'n,s,u,d,i,z,look,undo,g,get up,out,turn lamp on,unlock door with key,oops key,oops lamp,pronouns'.split(',')
  return Array.from({ length: count }, () => {
    if (random.int(3) === 0) return random.pick(others)
    const command = `${random.pick(verbs)} ${random.pick(nouns)}`
    return random.int(4) === 0 ? `${command} in ${random.pick(nouns)}` : command
  })
}

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import type { Random } from '../../src/core/random.js'
import { hasEnded } from '../../src/environments/jericho/agentboard-rules.js'
import type { StoryFault } from '../../src/environments/jericho/machine/memory.js'
import type { Machine, Snapshot } from '../../src/environments/jericho/machine/machine.js'
import type { Story } from '../../src/environments/jericho/story.js'
import { roomsCommands, scripts, storyFolder, versions } from '../environments/jericho/stories.js'
import { packagedPath } from '../../src/files/packaged.js'
import { type Episode, type Original, type OurSide, type Plan, type State, follow, wander } from './original.js'

/** Verbs of Inform's library and of TextWorld that are about the world. */
const verbs = new Set(
  `take drop put insert open close lock unlock eat drink examine search push pull give wear kiss cook slice dice chop
   wait jump ask tell enter touch wave turn switch look`.split(/\s+/),
)

/** The kinds of TextWorld's stories, with sizes; those of the short comparison come first. */
const kinds = [
  'custom --world-size 1 --nb-objects 4 --quest-length 1',
  'custom --world-size 12 --nb-objects 40 --quest-length 8',
  'tw-cooking --recipe 3 --take 3 --cook --cut --open --go 12 --drop',
  'custom --world-size 5 --nb-objects 10 --quest-length 5',
  'tw-coin_collector --level 20',
  'tw-treasure_hunter --level 20',
  'tw-simple --rewards dense --goal detailed',
] as const

/** The engine, joined as the package has it: jiti, which runs this file, makes private fields several times slower. */
interface Engine {
  readonly openStory: (bytes: Uint8Array, seed: number) => Story
  readonly createActionFinder: (story: Story) => (machine: Machine) => readonly string[]
}

async function loadEngine(folder: string): Promise<Engine> {
  const [story, actions] = ['story', 'valid-actions'].map((name) => packagedPath(`src/environments/jericho/${name}.ts`))
  const dir = join(folder, 'engine')
  // The package's data is found beside the engine.
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(packagedPath('.'), join(folder, 'node_modules', 'shaketable'))
  const input = { story: story!, actions: actions! }
  await build({ input, platform: 'node', logLevel: 'silent', output: { dir, entryFileNames: '[name].mjs' } })
  const load = (name: string): Promise<Engine> =>
    import(pathToFileURL(join(dir, `${name}.mjs`)).href) as Promise<Engine>
  return { ...(await load('story')), ...(await load('actions')) }
}

const seed = 3
const listMs: number[] = []
let [effects, reached] = [0, 0]

/** Stories that TextWorld makes, and our own, in Jericho's Python package. */
export const jericho: Original = {
  name: 'jericho',
  driver: 'play_jericho.py',
  // The package goes through sets of names, and keeps the last of equal effects.
  environment: { PYTHONHASHSEED: '0' },
  episodes,
  summary() {
    const share = ((100 * reached) / effects).toFixed(0)
    const usual = [...listMs].sort((one, other) => one - other)[listMs.length >> 1] ?? Number.NaN
    return (
      `lists reach ${String(reached)} of the ${String(effects)} effects of Jericho's (${share} %), ` +
      `${usual.toFixed(0)} ms a list (median; at most ${Math.max(...listMs).toFixed(0)} ms)`
    )
  },
}

async function episodes({ random, isShort, folder, commands }: Plan): Promise<readonly Episode[]> {
  const engine = await loadEngine(folder)
  const found: Episode[] = []
  const steps = isShort ? 30 : 100
  const add = (name: string, file: string, given: Omit<Play, 'engine' | 'id' | 'file' | 'random'>): void => {
    found.push(createEpisode({ ...given, engine, id: name, file, random: random.fork(`${name} play`) }))
  }
  for (const [index, kind] of kinds.slice(0, isShort ? 3 : kinds.length).entries()) {
    for (let number = 0; number < (isShort ? 1 : 4); number++) {
      const name = `tw-${String(index)}-${String(number)}`
      const file = join(folder, `${name}.z8`)
      const given = [...kind.split(' '), '--seed', String(random.fork(name).int(1e6)), '--output', file, '--silent']
      execFileSync(join(commands, 'tw-make'), given, { stdio: 'ignore' })
      const { metadata } = JSON.parse(readFileSync(file.replace('.z8', '.json'), 'utf8')) as {
        readonly metadata: { readonly walkthrough: readonly string[] }
      }
      add(`${name}, ${kind}`, file, { steps, solution: metadata.walkthrough, hasStatusLine: true, asks: true })
    }
  }
  for (const version of versions) {
    const fixture = (name: string): string => join(storyFolder, `${name}.z${String(version)}`)
    // Jericho carries out what stands behind `quit`, ends at `restore_undo` where a story has not asked for it, types
    // each byte of UTF-8 as a character, and writes what is longer than the story's buffer behind it.
    const script = scripts['input']!(version).filter((line) => typeof line === 'string' && /^[ -~]*$/.test(line))
    const solution = (script.slice(0, script.indexOf('no')) as string[]).map((line) => line.replace(/ ello .*/, ''))
    add(`input.z${String(version)}`, fixture('input'), { steps: 0, solution })
    const lines = roomsCommands.filter((line) => line !== 'quit' && line !== 'undo')
    add(`rooms.z${String(version)}`, fixture('rooms'), { steps, lines })
    if (version >= 5) add(`cottage.z${String(version)}`, fixture('cottage'), { steps, hasStatusLine: true, asks: true })
  }
  return found
}

interface Play {
  readonly id: string
  readonly file: string
  readonly random: Random
  readonly engine: Engine
  /** The number of random lines: of these, or of the story's grammar. */
  readonly steps: number
  readonly lines?: readonly string[]
  /** What is played on the way, or alone where there are no random lines. */
  readonly solution?: readonly string[]
  /** Whether Inform's library draws a status line behind the prompt, before which Frotz empties its buffer. */
  readonly hasStatusLine?: boolean
  /** Whether lists of actions and snapshots are compared. */
  readonly asks?: boolean
}

function createEpisode(play: Play): Episode {
  const { id, file, random, steps, lines, solution, hasStatusLine = false, asks = false } = play
  const { openStory, createActionFinder } = play.engine
  const bytes = readFileSync(file)
  const story = openStory(bytes, seed)
  const findActions = createActionFinder(story)
  const machine = story.createMachine()
  const pool = lines ?? (asks ? linesOf(story, random) : [])
  const walk = steps === 0 ? follow(solution!) : wander(random, steps, solution)
  const taken: string[] = []
  /** What the driver was asked, where this side has no answer of its own. */
  let asked: ((theirs: readonly string[]) => void) | undefined
  let kept: Snapshot | undefined
  let turn = 0
  /** The last word in Frotz's buffer, which it prints at the next input. */
  let held = ''

  const stateOf = (said: string): State => {
    const text = held + said
    held = hasStatusLine ? '' : /[^\s-]*$/.exec(text)![0]
    const shown = hasStatusLine ? text.replace(/>\s*$/, '') : text.slice(0, text.length - held.length)
    const memory = createHash('sha1').update(machine.dynamicMemory).digest('hex')
    const done = asks && file.includes('tw-') ? hasEnded(machine, said) : machine.finished
    return { observation: shown.trim(), score: 0, done, valid: [memory] }
  }
  const playLine = (line: string): string => {
    try {
      return machine.step(line)
    } catch (thrown) {
      const fault = thrown as StoryFault
      if (fault.name === 'StoryFault' && !fault.isEndless) return fault.said
      throw thrown
    }
  }
  const ours: OurSide = {
    opening: stateOf(machine.start()),
    step(action) {
      if (action === '#keep') kept = machine.snapshot()
      else if (action === '#back') machine.restore(kept!)
      else if (!action.startsWith('#')) {
        taken.push(action)
        const echo = machine.awaiting === 'line' && !hasStatusLine ? '\n' : ''
        return stateOf(echo + playLine(action))
      }
      return { ...stateOf(''), observation: '' }
    },
  }
  const askForEffects = (): string => {
    const begun = process.cpuUsage()
    const actions = findActions(machine)
    const { user, system } = process.cpuUsage(begun)
    listMs.push((user + system) / 1000)
    asked = ([all, both]) => {
      effects += Number(all)
      reached += Number(both)
    }
    return `#effects ${JSON.stringify(actions)}`
  }
  return {
    id,
    begin: { file, seed, hasStatusLine },
    ours: () => ours,
    next(state) {
      const at = turn++ % 20
      if (asks && !state.done) {
        if (at === 3) return '#keep'
        if (at === 8 && kept !== undefined) return '#back'
        if (at === 15) return askForEffects()
      }
      return state.done ? undefined : walk({ ...state, valid: pool })
    },
    heed({ valid }) {
      if (asked === undefined) return false
      asked(valid)
      asked = undefined
      return true
    },
  }
}

/** Lines of a story's grammar with its own names, and with words of its dictionary in place of what may be anything. */
function linesOf({ grammar, names, dictionary }: Story, random: Random): readonly string[] {
  const others = dictionary.words.map(({ text }) => text)
  const found = ['north', 'south', 'east', 'west', 'up', 'down', 'look', 'inventory', 'undo', 'xyzzy', '']
  for (const { words, lines } of grammar.verbs) {
    const verb = words.find((word) => verbs.has(word))
    if (verb === undefined) continue
    for (const { tokens } of lines) {
      for (let time = 0; time < 8; time++) {
        const rest = tokens.map((token) =>
          typeof token === 'object' ? token[0]! : random.pick(token === 'other' ? others : names),
        )
        found.push([verb, ...rest].join(' '))
      }
    }
  }
  return found
}

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { knownGames, readHeronLight } from '../src/environments/jericho/tasks.js'
import { Machine } from '../src/environments/jericho/machine/machine.js'
import { here, isInstalled, python } from '../test/originals/install.js'
import { size } from './_size.js'

/** Steps a second of processor time in one story. */
export interface SpeedBesideJericho {
  readonly story: string
  readonly steps: number
  readonly stepsPerSecond: number
  /** The same in Jericho's Python package, whose interpreter is Frotz in C. */
  readonly theirsPerSecond: number
}

const kinds = [
  'custom --world-size 12 --nb-objects 40 --quest-length 8',
  'tw-cooking --recipe 3 --take 3 --cook --cut --open --go 12 --drop',
  'tw-simple --rewards dense --goal detailed',
]
const seed = 3
const minSteps = size(200, 20)
const rounds = size(8, 1)

/**
 * Measures stories of TextWorld and our own beside Jericho's Python package, if `npm run test:originals` installed it.
 */
export function besideJericho(): readonly SpeedBesideJericho[] {
  if (!isInstalled) {
    console.log('Z-machine beside Jericho: not measured, since `npm run test:originals` has not installed its package')
    return []
  }
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-bench-'))
  try {
    const figures = storiesIn(folder).map(measure)
    for (const { story, steps, stepsPerSecond: ours, theirsPerSecond: theirs } of figures) {
      console.log(
        `Z-machine beside Jericho, ${story}, ${String(steps)} steps: ${count(ours)} steps/s, there ${count(theirs)}: ` +
          `${(ours / theirs).toFixed(2)} times (processor time, the best of some rounds)`,
      )
    }
    return figures
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const count = (number: number): string => Math.round(number).toLocaleString('en')

interface Story {
  readonly name: string
  readonly file: string
  readonly lines: readonly string[]
}

/** Each with a solution, and what costs a story much: looking around, again and again. */
function storiesIn(folder: string): readonly Story[] {
  const fill = (lines: readonly string[]): readonly string[] => {
    const idle = ['look', 'inventory', 'wait', 'examine me']
    const added = Array.from({ length: Math.max(0, minSteps - lines.length) }, (_, at) => idle[at % idle.length]!)
    return [...added, ...lines]
  }
  const own = join(folder, 'heron-light.z5')
  writeFileSync(own, readHeronLight())
  const { start, script = [] } = knownGames().heronLight.at(-1)!
  const made = kinds.map((kind, index): Story => {
    const file = join(folder, `made-${String(index)}.z8`)
    const options = [...kind.split(' '), '--seed', '7', '--output', file, '--silent']
    execFileSync(join(dirname(python), 'tw-make'), options, { stdio: 'ignore' })
    const { metadata } = JSON.parse(readFileSync(file.replace('.z8', '.json'), 'utf8')) as {
      readonly metadata: { readonly walkthrough: readonly string[] }
    }
    return { name: kind.split(' ')[0]!, file, lines: fill(metadata.walkthrough) }
  })
  return [{ name: 'heron-light', file: own, lines: fill([...start, ...script]) }, ...made]
}

function measure({ name, file, lines }: Story): SpeedBesideJericho {
  const bytes = readFileSync(file)
  const seconds = Array.from({ length: rounds }, () => {
    const machine = new Machine(bytes, { seed })
    machine.start()
    const begun = process.cpuUsage()
    for (const line of lines) machine.step(line)
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1e6
  })
  return {
    story: name,
    steps: lines.length,
    stepsPerSecond: lines.length / Math.min(...seconds),
    theirsPerSecond: lines.length / askJericho(file, lines),
  }
}

/** The seconds that Jericho's package takes for the lines, as its driver measures them. */
function askJericho(file: string, lines: readonly string[]): number {
  const requests = [{ begin: { file, seed, hasStatusLine: false } }, { action: `#time ${JSON.stringify(lines)}` }]
  const input = requests.map((request) => `${JSON.stringify(request)}\n`).join('')
  const { stdout, stderr } = spawnSync(python, [here('play_jericho.py')], { input, encoding: 'utf8' })
  const answer = JSON.parse(stdout.trim().split('\n').at(-1) || '{}') as { readonly valid?: readonly string[] }
  const seconds = Number(answer.valid?.[0])
  if (seconds > 0) return seconds
  throw new Error(
    `Expected the seconds of Jericho's package for ${file}, got ${stdout.slice(0, 200)} ${stderr.slice(-500)}`,
  )
}

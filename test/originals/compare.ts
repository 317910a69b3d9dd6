import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createRandom } from '../../src/core/random.js'
import { sharedData } from '../shared-data.js'
import { babyai } from './babyai.js'
import { hotpotqa } from './hotpotqa.js'
import { household } from './household.js'
import { here, install, packages, python } from './install.js'
import { jericho } from './jericho.js'
import type { Episode, Original, State } from './original.js'
import { pddl } from './pddl.js'
import { scienceworld } from './scienceworld.js'
import { words } from './words.js'

/**
 * Plays the same episodes here and in the originals, which it installs, and reports the first difference of each
 * episode. `--seed N` chooses the episodes, `--short` fewer of them, `--only a,b` some originals.
 */
const originals: readonly Original[] = [household, babyai, pddl, scienceworld, jericho, hotpotqa, words]

const answerMs = 180_000
const maxShown = 5

/** A driver: a request a line, an answer a line. */
class Driver {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #lines: AsyncIterator<string>
  #stderr = ''

  constructor({ driver, environment }: Original, folder: string) {
    const env = { ...process.env, ...environment, PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' }
    this.#child = spawn(python, [here(driver)], { stdio: 'pipe', env, cwd: folder })
    this.#child.stdin.on('error', () => undefined)
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text).slice(-2_000))
    this.#lines = createInterface({ input: this.#child.stdout, crlfDelay: Infinity })[Symbol.asyncIterator]()
  }

  async ask(request: object): Promise<State> {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('it did not answer in time')), answerMs)
    })
    try {
      const { value, done } = await Promise.race([this.#lines.next(), late])
      if (done === true) throw new Error(`it ended: ${this.#stderr.trim().split('\n').slice(-3).join(' ')}`)
      const answer = JSON.parse(value) as State | { readonly error: string }
      if ('error' in answer) throw new Error(answer.error)
      return answer
    } finally {
      clearTimeout(timer)
    }
  }

  close(): void {
    this.#child.stdin.end()
    this.#child.kill()
  }
}

/** Plays an episode on both sides. @returns the number of states, and the first difference */
async function compare(episode: Episode, driver: Driver): Promise<{ states: number; difference?: string }> {
  const taken: string[] = []
  let states = 0
  try {
    const ours = await episode.ours()
    try {
      let state = ours.opening
      let theirs = await driver.ask({ begin: episode.begin })
      for (;;) {
        const difference = episode.heed?.(theirs) === true ? undefined : differenceOf(state, theirs)
        if (difference !== undefined) return { states, difference: describe(episode, taken, difference) }
        states++
        const action = episode.next(state)
        if (action === undefined) return { states }
        taken.push(action)
        // Both sides work at the same time. The answer is taken even where this side fails, so that none is left over.
        const asked = driver.ask({ action })
        asked.catch(() => undefined)
        state = await ours.step(action)
        theirs = await asked
      }
    } finally {
      await ours.close?.()
    }
  } catch (thrown) {
    return { states, difference: describe(episode, taken, thrown instanceof Error ? thrown.message : String(thrown)) }
  }
}

function describe({ id }: Episode, taken: readonly string[], difference: string): string {
  const last = taken.slice(-4).map((action) => JSON.stringify(action.slice(0, 200)))
  return `${id}, after ${String(taken.length)} actions (${last.join(', ')}): ${difference}`
}

/** Where the first field begins to differ. A score that is not a number is not compared. */
function differenceOf(ours: State, theirs: State): string | undefined {
  const texts = ({ observation, score, done, valid }: State): Record<string, string> => {
    return { observation, score: score.toFixed(9), done: String(done), 'valid actions': valid.join('\n') }
  }
  const score = Number.isNaN(ours.score) ? theirs.score : ours.score
  const [here, there] = [texts({ ...ours, score }), texts(theirs)]
  const field = Object.keys(here).find((name) => here[name] !== there[name])
  if (field === undefined) return undefined
  let at = 0
  while (here[field]![at] === there[field]![at]) at++
  const part = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60))
  return `${field}: ${part(here[field]!)} here, ${part(there[field]!)} there`
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      short: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
    },
  })
  const chosen = originals.filter(({ name }) => values.only === '' || values.only.split(',').includes(name))
  const missing = install()
  if (missing !== undefined)
    return console.log(`The originals are not compared, since they cannot be installed: ${missing}`)
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-compared-'))
  let differences = 0
  try {
    for (const original of chosen) {
      const { name, needs } = original
      if (needs !== undefined && spawnSync(needs, ['-version']).status !== 0) {
        console.log(`${name}: not compared, since there is no ${needs}`)
        continue
      }
      const begun = performance.now()
      const random = createRandom(values.seed).fork(name)
      const plan = {
        random,
        isShort: values.short,
        folder,
        packages: packages(),
        commands: dirname(python),
        data: sharedData,
      }
      const episodes = await original.episodes(plan)
      const driver = new Driver(original, folder)
      let [states, differing] = [0, 0]
      for (const episode of episodes) {
        const found = await compare(episode, driver)
        states += found.states
        if (found.difference === undefined) continue
        if (++differing <= maxShown) console.log(`  ${name}: ${found.difference}`)
      }
      driver.close()
      const seconds = ((performance.now() - begun) / 1000).toFixed(0)
      console.log(
        `${name}: ${String(episodes.length)} episodes, ${String(states)} equal states, ${String(differing)} episodes differ, ${seconds} s`,
      )
      if (original.summary !== undefined) console.log(`  ${name}: ${original.summary()}`)
      differences += differing
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`seed ${values.seed}: ${differences === 0 ? 'no difference' : `${String(differences)} episodes differ`}`)
  process.exit(differences === 0 ? 0 : 1)
}

await main()

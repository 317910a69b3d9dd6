import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import type { StoryFile } from '../../src/environments/jericho/sources.js'
import { checkConforms } from '../../src/laws/conforms.js'
import { compile, hasInform, informLibrary } from '../environments/jericho/dfrotz.js'
import { openWith, storyFolder } from '../environments/jericho/stories.js'
import { isInstalled, python } from '../originals/install.js'
import { scratchFolder } from '../scratch.js'
import { outcomes } from './describe.js'

const families = perturbations.filter(
  ({ environment, promise, takesColumn, enlarges }) =>
    (environment === undefined || environment === 'jericho') && promise !== 'identity' && !takesColumn && !enlarges,
)

/** A story that no perturbation was made for, with a solution of its own. */
interface Made {
  readonly name: string
  readonly isHere: boolean
  make(): Pick<StoryFile, 'bytes'> & { readonly goal: string; readonly end: string; readonly script: readonly string[] }
}

/** A story of Inform's library, compiled from a source of ours. */
function compiled(name: string, goal: string, end: string, script: readonly string[]): Made {
  const options = [`+include_path=${informLibrary ?? ''}`]
  return {
    name,
    isHere: hasInform && informLibrary !== undefined,
    make: () => ({ bytes: compile(join(storyFolder, `${name}.inf`), 8, options), goal, end, script }),
  }
}

/** A story of Inform 7 that TextWorld makes. */
function generated(kind: string): Made {
  return {
    name: `textworld ${kind}`,
    isHere: isInstalled,
    make() {
      const file = join(scratchFolder(), 'made.z8')
      const command = join(dirname(python), 'tw-make')
      execFileSync(command, [...kind.split(' '), '--seed', '7', '--output', file, '--silent'], { stdio: 'ignore' })
      const { metadata } = JSON.parse(readFileSync(file.replace('.z8', '.json'), 'utf8')) as {
        readonly metadata: { readonly walkthrough: readonly string[] }
      }
      return { bytes: readFileSync(file), goal: 'Win.', end: 'The End', script: metadata.walkthrough }
    },
  }
}

const stories = [
  // It has verbs of its own, and names with "of".
  compiled('cottage', 'Drink the wine.', 'You have won', [
    ...['take iron key', 'unlock oak door with iron key', 'open oak door', 'north', 'open chest', 'take oil lamp'],
    ...['turn on oil lamp', 'down', 'drink wine'],
  ]),
  // Its refusals are drawn.
  compiled('parrot', 'Eat the biscuit.', 'You have won', [
    ...['take brass nut', 'down', 'open barrel', "take ship's biscuit", "eat ship's biscuit"],
  ]),
  generated('custom --world-size 3 --nb-objects 6 --quest-length 3'),
  generated('tw-simple --rewards dense --goal detailed'),
]

describe.each(stories.map((one) => [one.name, one] as const))(
  'every family on the story %s',
  (name, { isHere, make }) => {
    async function open() {
      const { bytes, goal, end, script } = make()
      const task = { id: name, goal, start: [], subGoals: [end], script }
      return openWith({ name, bytes, seed: 3, tasks: [task] })
    }
    let opened: ReturnType<typeof open> | undefined
    const environmentNow = () => (opened ??= open())

    it.skipIf(!isHere)(
      'can be checked, since the story conforms',
      async () => {
        const environment = await environmentNow()
        expect((await checkConforms(environment, environment.tasks, '0')).misfits).toEqual([])
      },
      300_000,
    )

    it.skipIf(!isHere).each(families.map((one) => [one.name, one] as const))(
      'keeps its promises: %s',
      async (_, perturbation) => {
        const environment = await environmentNow()
        const seen = await outcomes({ environment, tasks: environment.tasks, label: name }, [{ perturbation }])
        expect(seen.filter((one) => one !== 'unchanged' && one !== 'holds')).toEqual([])
        expect(seen).not.toEqual([])
      },
      300_000,
    )
  },
)

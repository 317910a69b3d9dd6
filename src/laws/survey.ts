import type { Environment, Task, World } from '../core/environment.js'
import { addLeaks } from '../core/dose.js'
import { closeWorlds, closingWorlds } from '../core/close-worlds.js'
import type { AppliedPerturbation, Perturbation } from '../core/perturbation.js'
import { createRandom } from '../core/random.js'
import { textOf } from '../core/text.js'
import { commutes } from './commutes.js'
import { checkLaws, laws } from './index.js'
import { type Finding, type Law, type Subject, readAtFirst } from './law.js'
import { beginThrough, scriptOf, tidy } from './twins.js'

/** A perturbation, or several that are stacked, with its settings and its label. */
export interface Variant {
  readonly label: string
  readonly applied: readonly AppliedPerturbation[]
}

const maxDraws = 5

/**
 * The settings of a perturbation that a sample should have, as conditions: its defaults, each other value of each
 * option, the first five draws, and half of the intensity.
 */
export function settingsToCheck({ name, options = {}, draws = 1, graded }: Perturbation): readonly string[] {
  return [
    name,
    ...Object.entries(options).flatMap(([option, values]) =>
      values.slice(1).map((value) => `${name}:${option}=${value}`),
    ),
    ...Array.from({ length: Math.min(draws, maxDraws) - 1 }, (_, index) => `${name}:draw=${String(index + 2)}`),
    ...(graded ? [`${name}:intensity=0.5`] : []),
  ]
}

/** Each task with one variant in turn, until each variant and each task had its turn. */
function* inTurn(tasks: readonly Task[], variants: readonly Variant[]) {
  for (let turn = 0; turn < Math.max(tasks.length, variants.length); turn++) {
    yield { task: tasks[turn % tasks.length]!, variant: variants[turn % variants.length]! }
  }
}

/** Checks laws of a condition over tasks, which take turns with its variants; by default all shipped laws. */
export async function surveyCondition(
  environment: Environment,
  tasks: readonly Task[],
  variants: readonly Variant[],
  seed: string,
  checked: readonly Law[] = laws,
): Promise<readonly LawCount[]> {
  const found: Found[] = []
  for (const { task, variant } of inTurn(tasks, variants)) {
    const { applied, label } = variant
    const findings = await closingWorlds(environment, (environment) =>
      checkLaws({ environment, task, applied, seed }, checked),
    )
    for (const finding of findings) found.push({ task, finding, label })
  }
  return count(found)
}

/** Pairs that are checked at most, each on another task in turn. */
const maxPairs = 300

/** Checks over tasks that pairs of these perturbations commute; all pairs on all tasks unless these are many. */
export async function surveyPairs(
  environment: Environment,
  tasks: readonly Task[],
  applied: readonly AppliedPerturbation[],
  seed: string,
): Promise<LawCount | undefined> {
  const pairs = createRandom(seed).shuffle(
    applied.flatMap((first, index) => applied.slice(index + 1).map((second) => [first, second] as const)),
  )
  const found: Found[] = []
  const total = pairs.length * tasks.length
  for (let turn = 0; turn < Math.min(total, maxPairs); turn++) {
    const pair = pairs[turn % pairs.length]!
    const task = tasks[(total <= maxPairs ? Math.floor(turn / pairs.length) : turn) % tasks.length]!
    const finding = await closingWorlds(environment, (environment) =>
      commutes.check({ environment, task, applied: pair, seed }),
    )
    found.push({ task, finding, label: pair.map(({ perturbation }) => perturbation.name).join('+') })
  }
  return count(found)[0]
}

/**
 * Plays the solution, over tasks: the old vocabulary that is still shown (see Dose.leaks), and the characters that are
 * read, divided by those of the clean twins.
 */
export async function surveyText(
  environment: Environment,
  tasks: readonly Task[],
  variants: readonly Variant[],
  seed: string,
) {
  let leaks = 0
  let leaked: ReturnType<typeof addLeaks> = {}
  let [before, after] = [0, 0]
  for (const { task, variant } of inTurn(tasks, variants)) {
    const subject = { environment, task, applied: variant.applied, seed }
    const [clean, world] = [await beginThrough(subject, []), await beginThrough(subject, variant.applied)]
    before += await lengthRead(subject, clean)
    after += await lengthRead(subject, world)
    await closeWorlds([clean, world])
    const dose = world.dose?.()
    leaks += dose?.leaks ?? 0
    leaked = addLeaks(leaked.leaked, dose?.leaked)
  }
  return { leaks, ...leaked, length: before === 0 ? 1 : after / before }
}

async function lengthRead(subject: Subject, world: World): Promise<number> {
  let length = readAtFirst(world).length
  for (const action of await scriptOf(world)) {
    const turn = await world.step(tidy(subject, action))
    length += textOf(turn.observation).length
    if (turn.ended !== false) break
  }
  return length
}

interface Found {
  readonly task: Task
  readonly finding: Finding
  readonly label: string
}

/** Outcomes of a law over many tasks. */
export type LawCount = ReturnType<typeof count>[number]

function count(found: readonly Found[]) {
  return [...new Set(found.map(({ finding }) => finding.law))].map((law) => {
    const withOutcome = (outcome: Finding['outcome']): readonly Found[] =>
      found.filter(({ finding }) => finding.law === law && finding.outcome === outcome)
    const [[failure], unchecked] = [withOutcome('fails'), withOutcome('unchecked')]
    const shown = unchecked.find(({ finding }) => finding.evidence !== undefined)
    return {
      law,
      holds: withOutcome('holds').length,
      unchanged: withOutcome('unchanged').length,
      unchecked: unchecked.length,
      fails: withOutcome('fails').length,
      /** The first failure. */
      ...(failure && { failure }),
      /** The first example for a person to judge. */
      ...(shown && { example: { task: shown.task, evidence: shown.finding.evidence! } }),
      /** The different reasons why it was not checked. */
      reasons: [...new Set(unchecked.map(({ finding }) => finding.detail ?? ''))],
    }
  })
}

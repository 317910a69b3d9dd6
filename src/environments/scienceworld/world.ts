import type { TurnDefinition, WorldDefinition } from '../../define/world.js'
import type { Briefing } from '../../core/environment.js'
import type { Engine, Engines, Stepped } from './engine.js'
import { canonical, checkValidActions, fold, isRefusal, quote, readAction } from './forms.js'
import { createSubGoals } from './labels.js'
import { type Variation, names } from './tasks.js'

/** How the episodes of a task are played. */
export interface Rules {
  readonly simplifications: string
  /** The patterns of the sub-goals that count; empty where progress is the engine's score. */
  readonly subGoals: readonly string[]
  /** Whether reaching all sub-goals is success, as in AgentBoard; otherwise the engine decides. */
  readonly endsBySubGoals: boolean
  /**
   * Whether an action counts as understood as in AgentBoard: if it is listed after the step, to the byte. The list for
   * that is a second one in each turn, as there.
   */
  readonly listedAfter: boolean
}

/** A variation of a task in an engine. */
export class Game {
  readonly #engines: Engines
  readonly #task: Variation
  readonly #rules: Pick<Rules, 'simplifications' | 'listedAfter'>
  #engine: Engine | undefined
  /** The work in hand; the engine does one thing at a time. */
  #turn: Promise<unknown> = Promise.resolve()
  #actions: Promise<readonly string[]> = Promise.resolve([])

  constructor(engines: Engines, task: Variation, rules: Pick<Rules, 'simplifications' | 'listedAfter'>) {
    this.#engines = engines
    this.#task = task
    this.#rules = rules
  }

  /** Sets it up. @returns the engine's goal and the first observation, as AgentBoard shows it */
  async begin(): Promise<{ readonly description: string; readonly opening: string }> {
    this.#engine = await this.#engines.take()
    return this.#use(async (engine) => {
      await engine.load(this.#task.type, this.#task.variation, this.#rules.simplifications)
      const description = await engine.description()
      const { observation } = await engine.step('look around')
      this.#list(engine)
      return { description, opening: `${observation}\n${await engine.inventory()}` }
    })
  }

  /**
   * Enters a line of text. The list of actions follows as often as AgentBoard makes it, wanted or not: it draws from
   * the engine's random numbers, so that an episode would otherwise depend on who asks for it. ScienceWorld's Python
   * package makes it after each step, and AgentBoard again after each turn, where it counts understood actions.
   */
  step(input: string): Promise<Stepped> {
    return this.#use(async (engine) => {
      const stepped = await engine.step(input)
      this.#list(engine)
      if (this.#rules.listedAfter) this.#list(engine)
      return stepped
    })
  }

  /** The actions that are possible now. */
  actions(): Promise<readonly string[]> {
    return this.#actions
  }

  /** The kinds of action, in a turn for which the engine does not step. */
  kinds(): Promise<readonly string[]> {
    return this.#use((engine) => {
      if (this.#rules.listedAfter) this.#list(engine)
      return engine.kinds()
    })
  }

  /** Gives its engine to other episodes. */
  async close(): Promise<void> {
    await this.#turn
    if (this.#engine !== undefined) this.#engines.release(this.#engine)
    this.#engine = undefined
  }

  /** Makes the list of actions while the agent thinks. */
  #list(engine: Engine): void {
    this.#actions = engine.actions()
    this.#actions.catch(() => undefined)
  }

  #use<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    const used = this.#turn.then(() => work(this.#engine!))
    this.#turn = used
      .then(
        () => this.#actions,
        () => undefined,
      )
      .catch(() => undefined)
    return used
  }
}

/**
 * The engine's own solution of a task, in the first wording of each action, without the steps that the engine refuses;
 * undefined where it does not solve it.
 */
export async function findSolution(
  engines: Engines,
  { type, variation }: Variation,
  rules: Rules,
): Promise<readonly string[] | undefined> {
  const engine = await engines.take()
  await engine.load(type, variation, rules.simplifications, true)
  let gold = (await engine.solution()).map(canonical).filter((action) => !isAsked(action))
  engines.release(engine)
  for (;;) {
    const taken = await playUntilSolved(new Game(engines, { type, variation }, rules), gold, rules)
    if (taken === undefined || taken.refused === 0) return taken?.actions
    gold = taken.actions
  }
}

/** The actions of a solution that the engine takes, up to success; undefined where there is none. */
async function playUntilSolved(game: Game, gold: readonly string[], rules: Rules) {
  const actions: string[] = []
  try {
    await game.begin()
    const judge = createJudge(rules)
    for (const [index, action] of gold.entries()) {
      const stepped = await game.step(action)
      if (!isRefusal(stepped.observation)) actions.push(action)
      if (judge(stepped).ended === 'success') return { actions, refused: index + 1 - actions.length }
    }
    return undefined
  } finally {
    await game.close()
  }
}

/** Judges the steps of an episode: the progress so far, and whether it has ended. */
function createJudge({ subGoals, endsBySubGoals }: Rules) {
  const reached = createSubGoals(subGoals)
  return ({ observation, score, completed }: Stepped): Required<Pick<TurnDefinition, 'progress' | 'ended'>> => {
    const share = reached.record(observation)
    if (endsBySubGoals) return { progress: share, ended: share === 1 && 'success' }
    const ended = score >= 1 ? ('success' as const) : completed || score < 0 ? ('failure' as const) : false
    return { progress: ended === 'success' ? 1 : Math.max(0, subGoals.length === 0 ? score : share), ended }
  }
}

/** Whether an action asks for something without taking time. */
function isAsked(action: string): boolean {
  return ['inventory', 'task', 'help', 'objects'].includes(fold(action))
}

/** What nothing in the engine is called. */
const nonsense = 'zxqv'

/** The parts of an episode. */
interface WorldOptions {
  readonly game: Game
  readonly opening: string
  readonly briefing: Briefing
  readonly rules: Rules
  /** The solution from the beginning. */
  solve(): Promise<readonly string[] | undefined>
  readonly otherExamples: NonNullable<WorldDefinition['otherExamples']>
}

/** An episode by AgentBoard's protocol. */
export function createWorld({ game, opening, briefing, rules, solve, otherExamples }: WorldOptions): WorldDefinition {
  const judge = createJudge(rules)
  /** Actions since the beginning that took time or changed something. */
  const taken: string[] = []
  let progress = 0
  const admissible = async (): Promise<readonly string[]> => [...(await game.actions()), checkValidActions]
  const enter = async (action: string, input: string): Promise<TurnDefinition> => {
    const stepped = await game.step(input)
    const { observation } = stepped
    const judged = judge(stepped)
    progress = judged.progress
    const isUnderstood = !isRefusal(observation)
    if (isUnderstood && !isAsked(input)) taken.push(canonical(input))
    const understood = rules.listedAfter ? (await admissible()).includes(action) : isUnderstood
    return { observation: quote(observation), understood, ...judged }
  }
  return {
    briefing,
    opening: quote(opening),
    names: names(),
    admissible,
    async understands(text) {
      const action = text.trim()
      if (action === checkValidActions) return true
      const listed = await game.actions()
      return listed.includes(action) || listed.includes(fold(canonical(action)))
    },
    async step(text) {
      const action = text.trim()
      if (action !== checkValidActions) return enter(text, action)
      const kinds = (await game.kinds()).filter((kind) => !kind.includes('reset'))
      const list = { list: [...kinds, checkValidActions] }
      return { observation: ['Choose an action from these valid actions: ', list], understood: true, progress }
    },
    refuse: async () => ({ ...(await enter(nonsense, nonsense)), understood: false }),
    read: (action, templates, names) => readAction(action, templates, names),
    async solve() {
      const gold = await solve()
      if (gold === undefined) return undefined
      let done = 0
      for (const action of taken) {
        if (action === gold[done]) done++
        else if (!/^(?:look|read)\b/.test(action)) return undefined
      }
      return gold.slice(done)
    },
    otherExamples,
    close: () => game.close(),
  }
}

import { type MaybePromise, after } from '../core/after.js'
import { type Fields, checkFields, describeValue, isStrings } from './check-fields.js'
import type { Briefing, EnvironmentCard, Example, ReadAction, Turn, World } from '../core/environment.js'
import { ShaketableError } from '../core/errors.js'
import { type ActionForm, parseTemplate } from '../core/form.js'
import { type Piece, type Text, piecesOf, textOf } from '../core/text.js'

/** The definition of one episode. Everything but `opening` and `step` is optional. */
export interface WorldDefinition {
  readonly briefing?: BriefingDefinition
  /** What the agent sees before its first move. */
  readonly opening: string | Text
  /** The opening in the environment's own wording. Default: the text of `opening`. */
  readonly originalOpening?: string
  /** Every item name of this episode, seen yet or not. Default: none. */
  readonly names?: readonly string[]
  step(action: string): MaybePromise<TurnDefinition>
  /**
   * Answers to an action that is not understood; it changes nothing. Default: the environment's `refusal`, with the
   * progress so far.
   */
  refuse?(action: string): MaybePromise<TurnDefinition>
  /** The actions accepted now, in the environment's order. Absent if they are not known. */
  admissible?(): MaybePromise<readonly string[]>
  /** Whether an action would be understood now. Default: whether it is in `admissible`; without that it is unknown. */
  understands?(action: string): MaybePromise<boolean>
  /** Reads an action tolerantly; see World.read. Absent: only the exact wording counts. */
  read?(action: string, templates: readonly string[], names: readonly string[], ever?: boolean): ReadAction | undefined
  /** A solution from here; undefined if there is none. Absent: the environment has no planner. */
  solve?(): MaybePromise<readonly string[] | undefined>
  /** See World.knowsVerb. */
  knowsVerb?(word: string): boolean
  /** See World.otherExamples. */
  otherExamples?(): readonly ExampleDefinition[]
  /**
   * The step limit of its episode, where the benchmark has one of its own; see World.stepLimit. Default: that of the
   * run.
   */
  stepLimit?(limit: number): number
  /** Ends the episode where it lives elsewhere; see World.close. */
  close?(): MaybePromise<void>
}

/** The definition of a turn. */
export interface TurnDefinition {
  readonly observation: string | Text
  /** Share of the task that is done, 0 to 1; it never falls. Default: 1 on success, else the highest so far. */
  readonly progress?: number
  /** Default: false, the episode goes on. */
  readonly ended?: Turn['ended']
  /**
   * Whether the action was understood. Default: the result of `understands` before the step; without that it is
   * unknown, and measures that need it are left out. Once a turn has `true` here, no later turn may omit it.
   */
  readonly understood?: boolean
}

/** The definition of a briefing. Everything has a default. */
export interface BriefingDefinition {
  /** Default: the goal of the task. */
  readonly goal?: string
  /** Default: a sentence that suits any environment. */
  readonly system?: string
  /** Default: a list of the forms, each with its meaning. */
  readonly instruction?: string | Text
  /** Every kind of action, `{ 'go to {room}': 'walk to a room' }` or a list. Default: none. */
  readonly forms?: Readonly<Record<string, string>> | readonly ActionForm[]
  /** See Briefing.knownForms. Default: not all are known. */
  readonly knownForms?: readonly string[]
  /** Default: none. */
  readonly examples?: readonly ExampleDefinition[]
  /** Commands that help when an action is not understood. Default: none. */
  readonly help?: readonly string[]
}

/** A worked example; see Example. */
export interface ExampleDefinition extends Omit<Example, 'opening' | 'exchanges' | 'names'> {
  readonly opening: string | Text
  readonly exchanges: readonly { readonly action: string; readonly observation: string | Text }[]
  /** Default: none. */
  readonly names?: readonly string[]
}

/** The values behind the defaults of a world. */
interface WorldContext {
  readonly environment: EnvironmentCard
  readonly goal: string
  readonly refusal: string | Text
}

const worldFields: Fields = {
  briefing: 'object?',
  opening: 'text',
  originalOpening: 'string?',
  names: 'strings?',
  step: 'function',
  refuse: 'function?',
  admissible: 'function?',
  knowsVerb: 'function?',
  understands: 'function?',
  read: 'function?',
  solve: 'function?',
  otherExamples: 'function?',
  stepLimit: 'function?',
  close: 'function?',
}

const turnFields: Fields = { observation: 'text', progress: 'share?', ended: 'ended?', understood: 'boolean?' }

/**
 * Fills in the defaults of a world, and checks the results of its functions. Members without a default stay absent.
 * @throws ShaketableError `environment` for any deviation from a {@link WorldDefinition}
 */
export function completeWorld(definition: WorldDefinition, context: WorldContext): World {
  const environment = context.environment.name
  const hook = (name: string): string => `What ${name}() of the environment '${environment}' gave`
  checkFields(hook('begin'), definition, worldFields, 'environment')
  const invalid = (name: string, expected: string, got: unknown): never => {
    throw new ShaketableError('environment', `${hook(name)} must be ${expected}, got ${describeValue(got)}.`)
  }
  const strings = (name: string) => (value: unknown) =>
    isStrings(value) ? value : invalid(name, 'a list of strings', value)

  const admissible = definition.admissible && (() => after(definition.admissible!(), strings('admissible')))
  const understands = definition.understands
    ? (action: string) =>
        after(definition.understands!(action), (result: unknown) =>
          typeof result === 'boolean' ? result : invalid('understands', 'true or false', result),
        )
    : admissible && ((action: string) => after(admissible(), (actions) => actions.includes(action)))

  const opening = piecesOf(definition.opening)
  let progress = 0
  let hasUnderstood = false
  let hasTrue = false
  const complete = (
    name: string,
    turn: TurnDefinition,
    command: string | undefined,
    understood: boolean | undefined,
  ): Turn => {
    checkFields(hook(name), turn, turnFields, 'environment')
    const { ended = false } = turn
    if (turn.understood !== undefined) {
      hasUnderstood = true
      hasTrue ||= turn.understood
    } else if (hasTrue && name === 'step') {
      invalid(name, "a turn with 'understood', as an earlier turn had it", turn)
    }
    progress = Math.max(progress, turn.progress ?? (ended === 'success' ? 1 : 0))
    const observation = piecesOf(turn.observation)
    return {
      observation,
      original: textOf(observation),
      command,
      understood: turn.understood ?? understood,
      progress,
      ended,
    }
  }
  const step = (action: string, understood: boolean | undefined): MaybePromise<Turn> =>
    after(definition.step(action), (turn) => complete('step', turn, action, understood))
  return {
    briefing: completeBriefing(definition.briefing ?? {}, context),
    opening,
    originalOpening: definition.originalOpening ?? textOf(opening),
    names: definition.names ?? [],
    environment: context.environment,
    // A step may change what is understood, so `understands` is called before it, unless turns state it themselves.
    step: (action) =>
      understands === undefined || hasTrue
        ? step(action, undefined)
        : after(understands(action), (understood) => step(action, understood)),
    refuse(action) {
      const understood = understands !== undefined || hasUnderstood ? false : undefined
      const turn = definition.refuse?.(action) ?? { observation: context.refusal }
      return after(turn, (answer) => complete('refuse', answer, undefined, understood))
    },
    ...(admissible && { admissible }),
    ...(understands && { understands }),
    ...(definition.read && { read: (...asked) => checkRead(definition.read!(...asked)) }),
    ...(definition.solve && {
      solve: () =>
        after(definition.solve!(), (plan: unknown) => (plan === undefined ? undefined : strings('solve')(plan))),
    }),
    ...(definition.knowsVerb && { knowsVerb: (word) => definition.knowsVerb!(word) }),
    ...(definition.otherExamples && {
      otherExamples: () => completeExamples(definition.otherExamples!(), hook('otherExamples')),
    }),
    ...(definition.stepLimit && { stepLimit: (limit) => definition.stepLimit!(limit) }),
    ...(definition.close && { close: () => definition.close!() }),
  }

  function checkRead(action: ReadAction | undefined): ReadAction | undefined {
    if (action === undefined) return undefined
    const { template, filling } = (action as Partial<ReadAction> | null) ?? {}
    const isRead = typeof template === 'string' && typeof filling === 'object'
    return isRead ? action : invalid('read', 'undefined or { template, filling }', action)
  }
}

const briefingFields: Fields = {
  goal: 'string?',
  system: 'string?',
  instruction: 'text?',
  forms: 'object|list?',
  knownForms: 'strings?',
  examples: 'examples?',
  help: 'strings?',
}
const formFields: Fields = { template: 'string', meaning: 'string' }

const defaultSystem = 'You act in a world that you see only through short lines of text.'

function completeBriefing(definition: BriefingDefinition, { environment, goal }: WorldContext): Briefing {
  const place = `The briefing of the environment '${environment.name}'`
  checkFields(place, definition, briefingFields, 'environment')
  const forms = completeForms(definition.forms ?? [], place)
  return {
    system: definition.system ?? defaultSystem,
    instruction: definition.instruction === undefined ? layInstruction(forms) : piecesOf(definition.instruction),
    forms,
    ...(definition.knownForms && { knownForms: definition.knownForms }),
    examples: completeExamples(definition.examples ?? [], place),
    goal: definition.goal ?? goal,
    help: definition.help ?? [],
  }
}

function completeExamples(examples: readonly ExampleDefinition[], place: string): readonly Example[] {
  checkFields(place, { examples: examples }, { examples: 'examples' }, 'environment')
  return examples.map((example) => ({
    ...example,
    opening: piecesOf(example.opening),
    exchanges: example.exchanges.map(({ action, observation }) => ({ action, observation: piecesOf(observation) })),
    names: example.names ?? [],
  }))
}

function completeForms(formsOf: NonNullable<BriefingDefinition['forms']>, place: string): readonly ActionForm[] {
  const forms = Array.isArray(formsOf)
    ? (formsOf as readonly ActionForm[])
    : Object.entries(formsOf).map(([template, meaning]) => ({ template, meaning: meaning as string }))
  for (const { template, ...form } of forms) {
    // Shipped environments have forms with more fields.
    checkFields(`${place}: an action form`, { template, meaning: form.meaning }, formFields, 'environment')
  }
  return forms
}

function layInstruction(forms: readonly ActionForm[]): Text {
  const hasSlots = forms.some(({ template }) => parseTemplate(template).slots.length > 0)
  const names = hasSlots ? ' Put a name in place of what stands in braces, exactly as you have read it.' : ''
  const lead = `Reply with one action at a time.${names}\n`
  if (forms.length === 0) return [lead]
  return forms.flatMap(({ template, meaning }, index): Piece[] => [
    `${index === 0 ? `${lead}\nYou can do this:\n` : ''}- '`,
    { form: template },
    meaning === '' ? "'\n" : `': ${meaning}\n`,
  ])
}

import type { ActionForm, Filling, MaybePromise, Message, Model, World } from '../src/define.js'
import { createNameFinder, isPerturbed, printForm, readForm } from '../src/define.js'
import { type Draw, drawIndex, drawsOf } from './_draw.js'
import { type WordedAction, reply } from './_reply.js'

/** An action of the unperturbed environment, with the index of its form in the briefing and the values of its slots. */
interface IntendedAction {
  readonly command: string
  readonly form?: { readonly index: number; readonly filling: Filling }
}

/** How a control words its intended actions, in one episode. */
interface Speaker {
  /**
   * @param messages the conversation so far
   * @param offersFunctions whether the prompt offers functions, which show every name and form
   * @returns the worded action; `isQuestion` marks a help command in place of the intended action
   */
  say(
    action: IntendedAction,
    messages: readonly Message[],
    offersFunctions: boolean,
  ): WordedAction & { readonly isQuestion?: true }
  /** Called when the last action was not understood. */
  refused?(): void
}

type Informed = NonNullable<Model['withWorld']>

/**
 * Plays any environment under any agent: it takes the solution of the environment's planner, as data, and words it by
 * its speaker. A plan is followed while its actions are understood, and replaced where one is not. Above temperature 0
 * it sometimes makes a detour of random admissible actions. Without a plan it plays the least used of the admissible
 * actions. Its intended actions depend on the unperturbed world only, so that nothing but the wording differs between
 * conditions.
 */
export function createInformed(card: Pick<Model, 'name' | 'settings'>, speakerIn: (world: World) => Speaker): Informed {
  return (world, phrase) => {
    const below = originalOf(world)
    const speaker = speakerIn(world)
    const takeApart = createParser(below)
    const { goal } = below.briefing
    const done = new Map<string, number>()
    let plan: readonly string[] | undefined
    let steps = 0
    let detour = 0

    const choose = async (temperature: number, draw: Draw): Promise<{ command: string; isPlanned: boolean }> => {
      if (plan?.[0] !== undefined && (await below.understands?.(plan[0])) === false) plan = undefined
      if (plan === undefined || plan.length === 0) plan = (await below.solve?.()) ?? []
      const planned = plan[0]
      if (detour > 0) detour--
      else if (drawIndex([0, slipScore], temperature, draw) === 1) detour = Math.floor(shortestDetour / draw())
      if (planned !== undefined && detour === 0) return { command: planned, isPlanned: true }
      const others = (await commandsIn(below)).filter((command) => command !== planned)
      const times = (command: string): number => (planned === undefined ? (done.get(command) ?? 0) : 0)
      const fewest = Math.min(...others.map(times))
      const rarest = others.filter((command) => times(command) === fewest)
      const command = rarest[Math.floor(draw() * rarest.length)] ?? planned ?? 'look'
      done.set(command, (done.get(command) ?? 0) + 1)
      return { command, isPlanned: false }
    }
    return {
      ...card,
      async complete(messages, { seed, temperature, tools }) {
        const { command, isPlanned } = await choose(temperature, drawsOf(seed, goal, steps++))
        const worded = speaker.say(takeApart(command), messages, tools !== undefined)
        const isUnderstood = await world.understands?.(worded.text)
        if (isUnderstood === false) speaker.refused?.()
        // An environment that does not report what it understands leaves it unknown whether the plan still holds.
        else if (isUnderstood === undefined) plan = undefined
        else if (isPlanned && !worded.isQuestion) plan = plan?.slice(1)
        return reply(worded, `My task is to ${goal}`, phrase, tools)
      },
    }
  }
}

/** Logarithm of the odds of a detour at temperature 1. */
const slipScore = -3
/** In steps. A detour lasts n steps or more with probability `shortestDetour / n`: most do not cost the task. */
const shortestDetour = 6

/** The world below all perturbations. */
export function originalOf(world: World): World {
  return isPerturbed(world) ? world.original : world
}

/** The admissible actions, or else each form with names in its slots. */
function commandsIn(world: World): MaybePromise<readonly string[]> {
  if (world.admissible !== undefined) return world.admissible()
  const { names, briefing } = world
  return briefing.forms.flatMap(({ template }) => {
    if (!template.includes('{')) return [template]
    return names.map((name) => printForm(template, () => name))
  })
}

function createParser({ briefing, names }: World): (command: string) => IntendedAction {
  const isName = createNameFinder(names).has
  return (command) => {
    for (const [index, { template }] of briefing.forms.entries()) {
      const filling = readForm(template, command, isName)
      if (filling !== undefined) return { command, form: { index, filling } }
    }
    return { command }
  }
}

/**
 * Words an action as the prompt does: by the forms of the instruction and the worked examples, and with the names as
 * they were seen. After a refusal it asks for the possible actions, and learns from the list.
 */
export function createReading(world: World): Speaker {
  const below = originalOf(world)
  const { briefing } = world
  const advertised = formsIn(briefing.instruction)
  const examples = briefing.examples.flatMap(({ exchanges }) => exchanges.map(({ action }) => action))
  const shown = new Map<string, boolean>()
  const shows = (template: string): boolean => {
    const isShown =
      shown.get(template) ??
      (advertised.includes(template) || examples.some((action) => readForm(template, action) !== undefined))
    shown.set(template, isShown)
    return isShown
  }
  const presentNames = new Map(below.names.map((name, index) => [name, world.names[index]!]))
  let wasRefused = false
  let asked = false
  return {
    say({ command, form }, messages, offersFunctions) {
      if (form === undefined) return { text: worded(world, command) }
      const old = below.briefing.forms[form.index]!
      // In mode `alias` an action has two forms here; the one that is listed first is taken.
      const present =
        briefing.forms.find(({ template, origin = template }) => origin === old.template) ?? briefing.forms[form.index]!
      const now = (name: string): string => presentNames.get(name) ?? name
      const right = fill(present, briefing.forms, form.filling, now)
      const isSame = Object.values(form.filling).every((name) => now(name) === name)
      if (old.template === present.template && isSame) return right

      const has = (text: string): boolean => messages.some(({ content }) => content.includes(text))
      const seen = (name: string): string => (now(name) === name || has(now(name)) || !has(name) ? now(name) : name)
      const showsPresent = offersFunctions || shows(present.template) || !shows(old.template)
      const action = fill(
        showsPresent ? present : old,
        showsPresent ? briefing.forms : below.briefing.forms,
        form.filling,
        offersFunctions ? now : seen,
      )
      if (action.text === right.text || !wasRefused) return action
      if (has(right.text)) {
        shown.set(present.template, true)
        return right
      }
      const [help] = briefing.help
      asked = !asked
      return asked && help !== undefined ? { text: help, isQuestion: true } : action
    },
    refused: () => {
      wasRefused = true
    },
  }
}

/** A command whose form is not known, in the wording of the prompt; in mode `alias` in the one that is listed first. */
function worded(world: World, command: string): string {
  if (!isPerturbed(world)) return command
  return world.firstWording === 'original' ? world.fromEnvironment(command, 'original') : world.fromEnvironment(command)
}

/**
 * Words an action as it was memorised, whatever the prompt says: in the unperturbed wording, except for the templates
 * that `rules` replace.
 */
export function createReciting(world: World, rules: Readonly<Record<string, string>>): Speaker {
  const { forms } = originalOf(world).briefing
  const known = forms.map((form) => ({ ...form, template: rules[form.template] ?? form.template }))
  return {
    say({ command, form }) {
      if (form === undefined) return { text: command }
      return fill(known[form.index]!, known, form.filling, (name) => name)
    },
  }
}

/** The action forms that an instruction quotes. */
export function formsIn(instruction: World['briefing']['instruction']): readonly string[] {
  return instruction.flatMap((piece) => (typeof piece !== 'string' && 'form' in piece ? [piece.form] : []))
}

function fill(
  of: ActionForm,
  among: readonly ActionForm[],
  filling: Filling,
  spell: (name: string) => string,
): WordedAction {
  const spelled = Object.fromEntries(Object.entries(filling).map(([slot, name]) => [slot, spell(name)]))
  return { text: printForm(of.template, spelled), form: { of, among, filling: spelled } }
}

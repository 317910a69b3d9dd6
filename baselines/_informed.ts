import type { ActionForm, Completion, Filling, MaybePromise, Message, Model, Sampling, World } from 'shaketable'
import { createNameFinder, isPerturbed, printForm, readForm, toolsOf } from 'shaketable'
import { callFor } from './_calls.js'
import type { Draw } from './_draw.js'
import { createDraws, drawIndex } from './_draw.js'

/** An action in words, and the form of it where it is of one. */
export interface Said {
  readonly text: string
  /** It is not what was meant, but asks what can be done. */
  readonly asks?: true
  readonly form?: { readonly of: ActionForm; readonly among: readonly ActionForm[]; readonly filling: Filling }
}

/**
 * An action of the unperturbed environment, taken apart: the place of its form in the briefing, and what fills its
 * slots.
 */
interface Meant {
  readonly command: string
  readonly form?: { readonly place: number; readonly filling: Filling }
}

/** How a control words what it means to do, in one episode. */
export interface Speaker {
  /** @param messages what it was told so far; with functions on offer their names and parameters are told too */
  say(meant: Meant, messages: readonly Message[], offersFunctions: boolean): Said
  /** Hears that what it said last is not understood. */
  refused?(): void
}

type Informed = NonNullable<Model['sighted']>

/**
 * Plays any environment under any agent: it is told the solution by the environment's planner, as data, and words it as
 * its speaker does. A plan is followed while its actions are understood, and made anew where one is not. Above
 * temperature 0 it makes detours now and then, in which it does anything that is admissible. Where there is no plan it
 * does what it has done least of what is admissible. What it means to do hangs on the unperturbed world alone, so that
 * nothing but the wording differs between conditions.
 */
export function createInformed(card: Pick<Model, 'name' | 'settings'>, speakerIn: (world: World) => Speaker): Informed {
  const drawsOf = createDraws()
  return (world, phrase) => {
    const below = originalOf(world)
    const speaker = speakerIn(world)
    const understand = createUnderstanding(below)
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
        const said = speaker.say(understand(command), messages, tools !== undefined)
        const isUnderstood = await world.understands?.(said.text)
        if (isUnderstood === false) speaker.refused?.()
        // Where nobody can tell what is understood nobody knows whether the plan still holds.
        else if (isUnderstood === undefined) plan = undefined
        else if (isPlanned && !said.asks) plan = plan?.slice(1)
        return reply(said, `My task is to ${goal}`, phrase, tools)
      },
    }
  }
}

/** Logarithm of the odds of a detour at temperature 1. */
const slipScore = -3
/**
 * In steps. A detour lasts n steps or more with probability `shortestDetour / n`: most are harmless, some cost the
 * task.
 */
const shortestDetour = 6

/** The world below all perturbations. */
export function originalOf(world: World): World {
  return isPerturbed(world) ? world.original : world
}

/** Lays an action out as the agent asks for it; as a call where there are functions to be called. */
export function reply(
  { text, form }: Said,
  thought: string,
  phrase: (action: string, thought?: string) => string,
  tools: Sampling['tools'],
): Completion {
  if (tools === undefined || tools.length === 0) return { text: phrase(text, thought), finish: 'stop' }
  const tool = form && toolsOf(form.among)[form.among.indexOf(form.of)]
  if (form === undefined || tool === undefined) {
    return { text: '', finish: 'tool', toolCalls: [callFor(text, tools)] }
  }
  const given = tool.definition.parameters.map(({ name }, index) => [name, form.filling[tool.slots[index]!] ?? ''])
  const call = { name: tool.definition.name, arguments: JSON.stringify(Object.fromEntries(given)) }
  return { text: '', finish: 'tool', toolCalls: [call] }
}

/** What can be done now: what is admissible, else each form with names in its slots. */
function commandsIn(world: World): MaybePromise<readonly string[]> {
  if (world.admissible !== undefined) return world.admissible()
  const { names, briefing } = world
  return briefing.forms.flatMap(({ template }) => {
    if (!template.includes('{')) return [template]
    return names.map((name) => template.replace(/\{[^}]+\}/g, () => name))
  })
}

function createUnderstanding({ briefing, names }: World): (command: string) => Meant {
  const isName = createNameFinder(names).has
  return (command) => {
    for (const [place, { template }] of briefing.forms.entries()) {
      const filling = readForm(template, command, isName)
      if (filling !== undefined) return { command, form: { place, filling } }
    }
    return { command }
  }
}

/**
 * Words an action as the prompt gives it: by the forms that the instruction advertises and the worked examples use, and
 * with the names as they were seen. Where that was refused it asks for the possible actions, and learns from the list.
 */
export function createReading(world: World): Speaker {
  const below = originalOf(world)
  const { briefing } = world
  const advertised = briefing.instruction.flatMap((piece) =>
    typeof piece !== 'string' && 'form' in piece ? [piece.form] : [],
  )
  const examples = briefing.examples.flatMap(({ exchanges }) => exchanges.map(({ action }) => action))
  const shown = new Map<string, boolean>()
  const shows = (template: string): boolean => {
    const isShown =
      shown.get(template) ??
      (advertised.includes(template) || examples.some((action) => readForm(template, action) !== undefined))
    shown.set(template, isShown)
    return isShown
  }
  const spelling = new Map(below.names.map((name, index) => [name, world.names[index]!]))
  let distrusts = false
  let asked = false
  return {
    say({ command, form }, messages, offersFunctions) {
      if (form === undefined) return { text: isPerturbed(world) ? world.fromEnvironment(command) : command }
      const old = below.briefing.forms[form.place]!
      const present = briefing.forms[form.place]!
      const now = (name: string): string => spelling.get(name) ?? name
      const right = fill(present, briefing.forms, form.filling, now)
      const isSame = Object.values(form.filling).every((name) => now(name) === name)
      if (old.template === present.template && isSame) return right

      const has = (text: string): boolean => messages.some(({ content }) => content.includes(text))
      const seen = (name: string): string => (now(name) === name || has(now(name)) || !has(name) ? now(name) : name)
      const knows = offersFunctions || shows(present.template) || !shows(old.template)
      const said = fill(
        knows ? present : old,
        knows ? briefing.forms : below.briefing.forms,
        form.filling,
        offersFunctions ? now : seen,
      )
      if (said.text === right.text || !distrusts) return said
      if (has(right.text)) {
        shown.set(present.template, true)
        return right
      }
      const [help] = briefing.help
      asked = !asked
      return asked && help !== undefined ? { text: help, asks: true } : said
    },
    refused: () => {
      distrusts = true
    },
  }
}

/**
 * Words an action as it was memorised, whatever the prompt says; `rules` tell where that is not the unperturbed
 * wording.
 */
export function createReciting(world: World, rules: Readonly<Record<string, string>>): Speaker {
  const { forms } = originalOf(world).briefing
  const known = forms.map((form) => ({ ...form, template: rules[form.template] ?? form.template }))
  return {
    say({ command, form }) {
      if (form === undefined) return { text: command }
      return fill(known[form.place]!, known, form.filling, (name) => name)
    },
  }
}

function fill(of: ActionForm, among: readonly ActionForm[], filling: Filling, spell: (name: string) => string): Said {
  const spelled = Object.fromEntries(Object.entries(filling).map(([slot, name]) => [slot, spell(name)]))
  return { text: printForm(of.template, spelled), form: { of, among, filling: spelled } }
}

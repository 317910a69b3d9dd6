import { after } from '../core/after.js'
import type { Briefing, Example, Turn, World } from '../core/environment.js'
import type { Dose } from '../core/dose.js'
import { ShaketableError } from '../core/errors.js'
import { type ActionForm, printForm, readForm } from '../core/form.js'
import { createNameFinder } from '../core/names.js'
import { type PerturbedWorld, applyLens, isPerturbed } from '../core/perturb.js'
import type { AppliedPerturbation, Lens, Scene } from '../core/perturbation.js'
import type { Random } from '../core/random.js'
import { type Spelling, capitalised, createSpelling } from '../core/spelling.js'
import type { Piece, Text, Wording } from '../core/text.js'
import { frame, sampleAction } from '../core/wording.js'

/**
 * Applies a perturbation in mode `alias`: the world below and the world through its lens are shown side by side, and
 * both wordings are accepted. Commands of worked examples are in one of them in turn.
 * @param place the wording of the world below is listed first where it is even. With the place of the task plus the
 * seed it comes first in half of the tasks of a seed and, of seeds in a row, in half of the seeds of a task
 * @throws ShaketableError `perturbation` for a lens that rewords neither actions nor names, or if an alias is the
 * original wording of another action or item
 */
export function applyAliases(
  world: World,
  applied: AppliedPerturbation,
  random: Random,
  place = random.fork('first wording').int(2),
): PerturbedWorld {
  const first: Wording = place % 2 === 0 ? 'original' : 'alias'
  const { perturbation } = applied
  let lens: Lens = {}
  const open = (scene: Scene): Lens => {
    lens = perturbation.open(scene)
    if (lens.form !== undefined || lens.name !== undefined) return lens
    throw new ShaketableError(
      'perturbation',
      `'${perturbation.name}' rewords neither actions nor names of items, so mode=alias has no two wordings to list. Leave mode=alias out.`,
    )
  }
  /** What the world below answered last; undefined where an action did not reach it. */
  let below: Text | undefined
  const hear = (turn: Turn): Turn => {
    below = turn.observation
    return turn
  }
  const heard: World = {
    ...world,
    step: (action) => after(world.step(action), hear),
    refuse: (action) => after(world.refuse(action), hear),
  }
  const settings = { ...applied, perturbation: { ...perturbation, open }, mode: 'replace', refuse: false } as const
  const reworded = applyLens(heard, settings, random)
  const pairs = createPairs(world, reworded, lens, first)
  checkAliases(world, reworded, pairs.spelling)
  const show = (turn: Turn): Turn => ({ ...turn, observation: pairs.text(below, turn.observation) })
  const play = (method: 'step' | 'refuse', action: string) => {
    below = undefined
    return after(reworded[method](action), show)
  }
  const wordingOf = (action: string): Turn['wording'] => {
    const { command } = reworded.toEnvironment(action)
    const [original, alias] = [pairs.original(command), reworded.fromEnvironment(command)].map(
      (text) => frame(text).body,
    )
    if (original === alias) return undefined
    const wordingIn = (command: string): Wording | undefined =>
      command === alias ? 'alias' : command === original ? 'original' : undefined
    const { read, briefing, names } = world
    const readings = [reworded, { briefing, names }].flatMap((side) => {
      const templates = side.briefing.forms.map(({ template }) => template)
      const readAction = read?.(action, templates, side.names)
      return readAction === undefined ? [] : [printForm(readAction.template, readAction.filling)]
    })
    // An environment that ignores all words but the verb may find an action in both wordings.
    const reading = readings.find((candidate) => isWithin(candidate, action)) ?? readings.at(-1)
    return wordingIn(frame(action).body) ?? (reading === undefined ? undefined : wordingIn(reading)) ?? 'mixed'
  }
  return {
    ...reworded,
    briefing: pairs.briefing(world.briefing, reworded.briefing),
    opening: pairs.text(world.opening, reworded.opening),
    names: first === 'original' ? world.names : reworded.names,
    firstWording: first,
    fromEnvironment: (command, what) =>
      what === 'original' ? pairs.original(command) : reworded.fromEnvironment(command, what),
    step(action) {
      const wording = wordingOf(action)
      return after(play('step', action), (turn) => {
        const isExecuted = turn.understood !== false && turn.failed !== 'before'
        return wording !== undefined && isExecuted ? { ...turn, wording } : turn
      })
    },
    refuse: (action) => play('refuse', action),
    ...(reworded.admissible && {
      admissible: () => after(reworded.admissible!(), (list) => list.flatMap((command) => pairs.command(command))),
    }),
    ...(reworded.otherExamples && {
      otherExamples() {
        const examples = world.otherExamples!()
        const others = { ...world, briefing: { ...world.briefing, examples } }
        return createPairs(others, reworded, lens, first).examples(examples, reworded.otherExamples!())
      },
    }),
    // The old wording is shown on purpose.
    dose() {
      const { leaks = 0, leaked } = world.dose?.() ?? {}
      const counts = Object.entries(reworded.dose!()).filter(([count]) => count !== 'leaked')
      return { ...(Object.fromEntries(counts) as unknown as Dose), leaks, ...(leaked && { leaked }) }
    },
  }
}

/** What both worlds show, side by side. */
function createPairs(world: World, reworded: PerturbedWorld, lens: Lens, first: Wording) {
  const { forms } = world.briefing
  const exampleNames = world.briefing.examples.map((example) => example.names)
  const spelling = createSpelling(lens, world.names, exampleNames)
  const original = (command: string): string => (isPerturbed(world) ? world.fromEnvironment(command) : command)
  const pair = (one: string, other: string): readonly string[] =>
    one === other ? [one] : first === 'original' ? [one, other] : [other, one]
  const beside = (one: string, other: string): string => {
    const [before, behind] = pair(one, other).filter((words) => words !== '')
    return behind === undefined ? (before ?? '') : `${before!} (${behind})`
  }
  const templates = [...(world.briefing.knownForms ?? []), ...forms.map(({ template }) => template)]
  const origins = new Map(templates.map((template) => [lens.form?.(template) ?? template, template]))
  const shownNames = createShownNames([...world.names, ...exampleNames.flat()], spelling, beside)
  const command = (shown: string, known = original(reworded.toEnvironment(shown).command)): readonly string[] =>
    pair(known, shown)
  /** Names stand in both spellings; other prose is in the wording that is listed first. */
  const prose = (known: string | undefined, shown: string): string => {
    if (known === shown) return shown
    return shownNames(first === 'alias' || known === undefined ? shown : spelling.textToAgent(known))
  }
  /** @param from what the world below shows in its place, if anything */
  const text = (from: Text = [], to: Text): Text => {
    // A lens may append to a briefing.
    const isAligned = from.every((piece, index) => kindOf(piece) === kindOf(to[index]))
    return to.flatMap((piece, index): Text => {
      const known = isAligned ? from[index] : undefined
      if (typeof piece === 'string') return [prose(typeof known === 'string' ? known : undefined, piece)]
      if ('list' in piece) {
        const entries = lens.commands === undefined && typeof known === 'object' && 'list' in known ? known.list : []
        return [{ ...piece, list: piece.list.flatMap((entry, place) => command(entry, entries[place])) }]
      }
      const wordings =
        'form' in piece
          ? pair(origins.get(piece.form) ?? piece.form, piece.form).map((form) => ({ ...piece, form }))
          : command(piece.command, typeof known === 'object' && 'command' in known ? known.command : undefined).map(
              (command) => ({ command }),
            )
      return sideBySide(wordings, [to[index - 1], to[index + 1]])
    })
  }
  const examples = (from: readonly Example[], to: readonly Example[]): readonly Example[] => {
    let choices = 0
    const inTurn = (shown: string, known?: string): string => {
      const wordings = command(shown, known)
      return wordings.length > 1 ? wordings[choices++ % 2]! : wordings[0]!
    }
    const isAligned = from.length === to.length
    return to.map((example, place) => {
      const known = isAligned ? from[place] : undefined
      return {
        ...example,
        opening: text(known?.opening, example.opening),
        exchanges: example.exchanges.map(({ action, observation }, index) => ({
          action: inTurn(action, known?.exchanges[index]?.action),
          observation: text(known?.exchanges[index]?.observation, observation),
        })),
        names: first === 'original' ? example.names.map(spelling.toEnvironment) : example.names,
      }
    })
  }
  const briefing = (from: Briefing, to: Briefing): Briefing => ({
    ...to,
    system: prose(from.system, to.system),
    instruction: text(from.instruction, to.instruction),
    goal: prose(from.goal, to.goal),
    help: to.help.flatMap((line) => command(line)),
    forms: to.forms.flatMap((form, index): readonly ActionForm[] => {
      const actionForm = from.forms[index]!
      const meaning = prose(actionForm.meaning, form.meaning)
      return pair(actionForm.template, form.template).map((template) =>
        template === actionForm.template ? { ...actionForm, meaning } : { ...form, meaning },
      )
    }),
    examples: examples(from.examples, to.examples),
  })
  return { spelling, original, command, text, examples, briefing }
}

function kindOf(piece: Piece | undefined): string | undefined {
  return typeof piece === 'object' ? ['command', 'list', 'form'].find((kind) => kind in piece) : typeof piece
}

/** Shows both spellings of each name in a text in the new spelling, also with a capital letter at the beginning. */
function createShownNames(
  names: readonly string[],
  spelling: Spelling,
  beside: (one: string, other: string) => string,
): (text: string) => string {
  const shown = new Map<string, string>()
  const add = (name: string, agent: string): void => {
    if (agent !== name && !shown.has(agent)) shown.set(agent, beside(name, agent))
  }
  for (const name of names) add(name, spelling.toAgent(name))
  for (const name of names) {
    const capital = capitalised(name)
    if (!spelling.isName(capital) && !spelling.isAgentName(capital)) add(capital, capitalised(spelling.toAgent(name)))
  }
  const finder = createNameFinder(shown.keys())
  return (text) => finder.replace(text, (name) => shown.get(name)!)
}

/**
 * The two wordings in a text, with ` or ` between them, and each in quotation marks if the one there stands in them.
 * @param around the pieces before and after
 */
function sideBySide(
  wordings: readonly Exclude<Piece, string>[],
  around: readonly [before: Piece | undefined, after: Piece | undefined],
): Text {
  const [before, after] = around.map((piece) => (typeof piece === 'string' ? piece : ''))
  const mark = before!.slice(-1)
  const quote = mark !== '' && '\'"`'.includes(mark) && after!.startsWith(mark) ? mark : ''
  return wordings.flatMap((wording, index): Text => (index === 0 ? [wording] : [`${quote} or ${quote}`, wording]))
}

/** Whether a text has all words of an action in their order. */
function isWithin(action: string, text: string): boolean {
  const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/[\s.,;!?]+/)
  const words = wordsOf(text)
  let at = 0
  return wordsOf(action).every((word) => (at = words.indexOf(word, at) + 1) > 0)
}

function checkAliases({ briefing: { forms }, names }: World, { briefing }: World, spelling: Spelling): void {
  for (const [index, { template: from }] of forms.entries()) {
    const to = briefing.forms[index]!.template
    if (from === to) continue
    const { text, isItem } = sampleAction(to, names)
    const other = forms.find((form, place) => place !== index && readForm(form.template, text, isItem) !== undefined)
    if (other === undefined) continue
    throw new ShaketableError(
      'perturbation',
      `In mode alias both wordings are accepted, but '${to}', another wording of '${from}', is that of '${other.template}' too: '${text}' would be both. Use mode replace.`,
    )
  }
  const name = names.find(
    (candidate) => spelling.toAgent(candidate) !== candidate && names.includes(spelling.toAgent(candidate)),
  )
  if (name === undefined) return
  throw new ShaketableError(
    'perturbation',
    `In mode alias both spellings are accepted, but '${spelling.toAgent(name)}', another spelling of '${name}', is the name of another item too. Use mode replace.`,
  )
}

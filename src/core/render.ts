import type { Dose, DoseCount, Leak } from './dose.js'
import { addLeaks } from './dose.js'
import type { Briefing, World } from './environment.js'
import type { Hooks } from './hooks.js'
import type { Lens, Part } from './perturbation.js'
import type { CommandList, Piece, Text } from './text.js'
import { pieceText } from './text.js'
import type { Translator } from './translate.js'

/** Words an environment's text as a lens does, and counts what it changed and what it could not. */
interface Renderer {
  show(text: Text, part: Part): Text
  /** Comes first, once. */
  brief(briefing: Briefing): Briefing
  /** What was shown so far. */
  dose(): Omit<Dose, 'commandsSaid' | HookCount>
}

type SinglePiece = Exclude<Piece, CommandList>

/** So many different leaks of an episode are named. */
const maxLeaked = 12

/** What a lens did to what was shown. */
type Counts = Record<Exclude<DoseCount, 'commandsSaid' | HookCount>, number>
type HookCount = 'views' | 'listed' | 'failed' | 'messages'

/**
 * The briefing last seen through each translator: it is the same in every episode of a task, unless prose changes too.
 */
const briefs = new WeakMap<
  Translator,
  {
    readonly given: Briefing
    readonly scope: string
    readonly seen: Briefing
    readonly counts: Counts
    readonly leaked: readonly Leak[]
  }
>()

/**
 * @param scope what the lens reaches
 * @param read how the environment reads commands that are loosely said, as in examples
 */
export function createRenderer(
  lens: Lens,
  { prose }: Pick<Hooks, 'prose'>,
  translator: Translator,
  scope: ReadonlySet<Part>,
  read?: World['read'],
): Renderer {
  const scopeName = [...scope].join()
  let counts: Counts = { forms: 0, commandsSeen: 0, names: 0, characters: 0, leaks: 0 }
  /** By part and old word. */
  let leaked = new Map<string, Leak>()
  const leak = (part: Part, olds: readonly string[]): void => {
    counts.leaks += olds.length
    for (const old of olds) {
      const key = `${part} ${old}`
      leaked.set(key, { old, part, times: (leaked.get(key)?.times ?? 0) + 1 })
    }
  }
  const found = (): void => void counts.names++

  const word = (piece: SinglePiece, part: Part): SinglePiece => {
    if (typeof piece === 'string') {
      return translator.prose(prose === undefined ? piece : prose(piece, part), found)
    }
    if ('form' in piece) {
      const form = translator.form(piece.form)
      return form === piece.form ? piece : { ...piece, form }
    }
    const command = translator.command(piece.command, found, read)
    if (command === piece.command) return piece
    counts.commandsSeen++
    return { command }
  }
  const showList = (piece: CommandList, part: Part): Piece => {
    const list = piece.list.map((command) => pieceText(showPiece({ command }, part)))
    return list.some((command, index) => command !== piece.list[index]) ? { ...piece, list } : piece
  }
  const showPiece = (piece: Piece, part: Part): Piece => {
    if (typeof piece !== 'string' && 'list' in piece) return showList(piece, part)
    const place = typeof piece !== 'string' && 'command' in piece && part === 'observations' ? 'admissible' : part
    if (!scope.has(place)) {
      leak(place, leftOut(piece, translator))
      return piece
    }
    const seen = word(piece, part)
    if (seen !== piece) counts.characters += pieceText(piece).length
    leak(place, leaksOf(seen, translator))
    return seen
  }
  const show = (text: Text, part: Part): Text => text.map((piece) => showPiece(piece, part))

  /** The forms with their meanings as the lens words prose; the same list where it changes none. */
  const meant = (forms: Briefing['forms']): Briefing['forms'] => {
    const seen = forms.map((form) => {
      const meaning = translator.prose(prose === undefined ? form.meaning : prose(form.meaning, 'instruction'))
      return meaning === form.meaning ? form : { ...form, meaning }
    })
    return seen.some((form, index) => form !== forms[index]) ? seen : forms
  }
  const briefAnew = (briefing: Briefing): Briefing => {
    if (scope.has('instruction')) counts.forms = translator.changedForms
    return {
      system: pieceText(showPiece(briefing.system, 'instruction')),
      instruction: show(briefing.instruction, 'instruction'),
      forms: scope.has('instruction') ? meant(translator.forms) : translator.forms,
      ...(briefing.knownForms && { knownForms: bothWordings(briefing, lens) }),
      goal: pieceText(showPiece(briefing.goal, 'instruction')),
      help: briefing.help.map((command) => pieceText(showPiece({ command }, 'instruction'))),
      examples: briefing.examples.map((example) => ({
        ...example,
        opening: show(example.opening, 'examples'),
        exchanges: example.exchanges.map(({ action, observation }) => ({
          action: pieceText(showPiece({ command: action }, 'examples')),
          observation: show(observation, 'examples'),
        })),
        names: scope.has('examples') ? example.names.map(translator.name) : example.names,
      })),
    }
  }
  return {
    show,
    brief(briefing) {
      const pure = prose === undefined
      const kept = pure ? briefs.get(translator) : undefined
      if (kept?.given === briefing && kept.scope === scopeName) {
        counts = { ...kept.counts }
        leaked = new Map(kept.leaked.map((one) => [`${one.part} ${one.old}`, one]))
        return kept.seen
      }
      const seen = briefAnew(briefing)
      if (pure)
        briefs.set(translator, {
          given: briefing,
          scope: scopeName,
          seen,
          counts: { ...counts },
          leaked: [...leaked.values()],
        })
      return seen
    },
    dose() {
      const { leaked: all } = addLeaks([...leaked.values()])
      return { ...counts, ...(all && { leaked: all.slice(0, maxLeaked) }) }
    },
  }
}

/**
 * Every form that is known, in the wording below and by the rules of the lens: a perturbation that is laid over it may
 * have rules for either.
 */
function bothWordings({ forms, knownForms = [] }: Briefing, lens: Lens): readonly string[] {
  const made = lens.rules?.map((rule) => lens.form?.(rule) ?? rule) ?? []
  return [...new Set([...forms.map(({ template }) => template), ...knownForms, ...made])]
}

/**
 * Old vocabulary in a piece. What fills the slots of a form stands for any item (`<ball1>`), even where an item is
 * called so.
 */
function leaksOf(piece: SinglePiece, translator: Translator): readonly string[] {
  return translator.leaks(typeof piece !== 'string' && 'form' in piece ? piece.form : pieceText(piece))
}

/** Leaks in a piece that is shown as it is: at least one where it should have been worded differently. */
function leftOut(piece: SinglePiece, translator: Translator): readonly string[] {
  const found = leaksOf(piece, translator)
  if (found.length > 0 || typeof piece === 'string') return found
  const same =
    'form' in piece ? translator.form(piece.form) === piece.form : translator.command(piece.command) === piece.command
  return same ? found : ['form' in piece ? piece.form : piece.command]
}

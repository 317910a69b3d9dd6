import { type Leak, addLeaks } from './dose.js'
import type { Briefing, World } from './environment.js'
import type { Hooks, TurnShown } from './hooks.js'
import type { Lens, TextPart } from './perturbation.js'
import { type ActionForm, printForm } from './form.js'
import { type CommandList, type Part, type Piece, type Text, pieceText, textOf } from './text.js'
import { nearestForm } from './wording.js'
import type { Translator } from './translate.js'

type SinglePiece = Exclude<Piece, CommandList>

/** Maximum number of distinct leaks named per episode. */
const maxLeaked = 12

/**
 * Rewords the text of an environment by a lens, and counts changes and leaks.
 * @param scope the parts that the lens reaches
 * @param read the environment's tolerant reading of commands, for worked examples
 */
export function createRenderer(
  lens: Lens,
  hooks: Pick<Hooks, 'text' | 'observation'>,
  translator: Translator,
  scope: ReadonlySet<Part>,
  read?: World['read'],
) {
  const counts = { forms: 0, commandsSeen: 0, names: 0, characters: 0, leaks: 0 }
  let leaked: readonly Leak[] = []
  const leak = (part: Part, mentions: readonly string[]): void => {
    if (mentions.length === 0) return
    counts.leaks += mentions.length
    const found = mentions.map((old) => ({ old, part, times: 1 }))
    leaked = addLeaks(leaked, found).leaked!
  }
  const countName = (): void => void counts.names++

  /** Forms that examples of other families of tasks have, and those of the episode. */
  let quotable: readonly { readonly template: string; readonly isForeign: boolean }[] | undefined
  let known: Briefing | undefined
  const foreignCommand = (command: string): string => {
    if (lens.form === undefined || known?.knownForms === undefined) return command
    const templates = new Set(known.forms.map(({ template }) => template))
    const all = new Set([...templates, ...known.knownForms])
    quotable ??= [...all].map((template) => ({ template, isForeign: !templates.has(template) }))
    const { found, filling } = nearestForm(quotable, command) ?? {}
    if (!found?.isForeign || filling === undefined) return command
    const names = Object.entries(filling).map(([slot, name]) => [slot, translator.prose(name)] as const)
    const to = translator.form(found.template)
    return to === found.template ? command : printForm(to, Object.fromEntries(names))
  }
  const word = (piece: SinglePiece, part: Part): SinglePiece => {
    if (typeof piece === 'string') return translator.prose(piece, countName)
    if ('form' in piece) {
      const form = translator.form(piece.form)
      return form === piece.form ? piece : { ...piece, form }
    }
    const words = translator.command(piece.command, countName, read)
    const command = words === piece.command && part === 'examples' ? foreignCommand(words) : words
    if (command === piece.command) return piece
    counts.commandsSeen++
    return { command }
  }
  const showPiece = (piece: Piece, part: Part): Piece => {
    if (typeof piece !== 'string' && 'list' in piece) {
      return { ...piece, list: piece.list.map((command) => showCommand(command, part)) }
    }
    const place = typeof piece !== 'string' && 'command' in piece && part === 'observations' ? 'admissible' : part
    if (!scope.has(place)) {
      leak(place, leaksOutOfScope(piece, translator))
      return piece
    }
    const seen = word(piece, part)
    if (seen !== piece) counts.characters += pieceText(piece).length
    leak(place, leaksOf(seen, translator))
    return seen
  }
  const show = (text: Text, part: Part): Text => text.map((piece) => showPiece(piece, part))
  const reword = (text: Text, part: TextPart): Text =>
    show(hooks.text(text, part), part === 'goal' ? 'instruction' : part)
  const showCommand = (command: string, part: Part): string => pieceText(showPiece({ command }, part))

  const rewordMeaning = (form: ActionForm): ActionForm => {
    const meaning = translator.prose(textOf(hooks.text([form.meaning], 'instruction', undefined, false)))
    return meaning === form.meaning ? form : { ...form, meaning }
  }
  const renderBriefing = (briefing: Briefing): Briefing => {
    known = briefing
    if (scope.has('instruction')) counts.forms = translator.changedForms
    const { forms } = translator
    return {
      system: textOf(reword([briefing.system], 'instruction')),
      instruction: reword(briefing.instruction, 'instruction'),
      forms: scope.has('instruction') ? forms.map(rewordMeaning) : forms,
      ...(briefing.layout && { layout: briefing.layout }),
      ...(briefing.knownForms && { knownForms: bothWordings(briefing, lens) }),
      goal: textOf(reword([briefing.goal], 'goal')),
      help: briefing.help.map((command) => showCommand(command, 'instruction')),
      examples: briefing.examples.map((example) => ({
        ...example,
        opening: reword(example.opening, 'examples'),
        exchanges: example.exchanges.map(({ action, observation }) => ({
          action: showCommand(action, 'examples'),
          observation: reword(observation, 'examples'),
        })),
        names: scope.has('examples') ? example.names.map(translator.name) : example.names,
      })),
    }
  }
  return {
    observation: (pieces: Text, about: TurnShown): Text => show(hooks.observation(pieces, about), 'observations'),
    /** Must be called once, before `observation`. */
    brief: renderBriefing,
    /** The counts so far. */
    dose: () => ({ ...counts, ...(leaked.length > 0 && { leaked: leaked.slice(0, maxLeaked) }) }),
  }
}

/**
 * All known forms in the wording below, and as reworded by the rules of the lens: a perturbation above may have rules
 * for either.
 */
function bothWordings({ forms, knownForms = [] }: Briefing, lens: Lens): readonly string[] {
  const reworded = lens.form === undefined ? [] : [...(lens.rules ?? []), ...knownForms].map((rule) => lens.form!(rule))
  return [...new Set([...forms.map(({ template }) => template), ...knownForms, ...reworded])]
}

/**
 * The old vocabulary in a piece. The slots of a form are not searched: `<ball1>` stands for any item, even if an item
 * has that name.
 */
function leaksOf(piece: SinglePiece, translator: Translator): readonly string[] {
  return translator.leaks(typeof piece !== 'string' && 'form' in piece ? piece.form : pieceText(piece))
}

/**
 * The leaks of a piece that is shown unchanged since it is out of scope: at least one if the lens would have reworded
 * it.
 */
function leaksOutOfScope(piece: SinglePiece, translator: Translator): readonly string[] {
  const leaks = leaksOf(piece, translator)
  if (leaks.length > 0 || typeof piece === 'string') return leaks
  const same =
    'form' in piece ? translator.form(piece.form) === piece.form : translator.command(piece.command) === piece.command
  return same ? leaks : ['form' in piece ? piece.form : piece.command]
}

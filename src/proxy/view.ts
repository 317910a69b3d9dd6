import type { EnvironmentCard, Turn, World } from '../core/environment.js'
import { ShaketableError } from '../core/errors.js'
import { type ActionForm, parseTemplate, printForm, readForm } from '../core/form.js'
import { type NameFinder, createNameFinder } from '../core/names.js'
import { type PerturbedWorld, perturbWorld } from '../core/perturb.js'
import { type AppliedPerturbation, openLens } from '../core/perturbation.js'
import type { Random } from '../core/random.js'
import { type Piece, type Text, pieceText } from '../core/text.js'
import { nearestForm } from '../core/wording.js'
import type { TextVocabulary } from '../define/environment.js'
import { type Span, findForms, isOpenSlot } from '../core/mentions.js'

/** The weight of a form with open slots against a command, which a model may have invented. */
const openFormWeight = 1000

/** The forms, names and perturbations of a proxy. */
export interface ProxyPerturbation {
  readonly vocabulary: TextVocabulary
  /** Whose forms they are, for families with words of an environment. Absent for forms of the user's own. */
  readonly environment?: EnvironmentCard | undefined
  /** Every kind of item that the environment can have, so that a new item changes no other item's name. */
  readonly kinds?: readonly string[]
  /** The first is nearest the environment. Not empty. */
  readonly applied: readonly [AppliedPerturbation, ...AppliedPerturbation[]]
  /** The randomness of perturbations, the same for every conversation. */
  readonly random: Random
}

/** The texts of one request as the perturbations show them, and the translation of actions back. */
export type View = ReturnType<ReturnType<typeof createViewer>['view']>

/** The translation of a model's action. */
export interface Acted {
  readonly command: string
  readonly refused: boolean
  /** The unperturbed environment has such an action. */
  readonly known: boolean
}

/** Makes views of requests. @throws ShaketableError `perturbation` for perturbations that do not fit the forms */
export function createViewer({ vocabulary, environment, kinds = [], applied, random }: ProxyPerturbation) {
  const knownForms = [...new Set(vocabulary.forms.flat().map(({ template }) => template))]
  const ofKinds = kinds.map((kind) => `${kind} 1`)
  /** A world that contains only the texts of a request, shown by the same lenses as an environment's texts. */
  const plainWorld = (forms: readonly ActionForm[], names: readonly string[], opening: Text = []): World => {
    const turn = (command?: string): Turn => ({
      ...{ observation: [], original: '', progress: 0, ended: false },
      ...{ command, understood: command !== undefined },
    })
    return {
      briefing: { system: '', instruction: [], forms, knownForms, examples: [], goal: '', help: [] },
      opening,
      originalOpening: '',
      names: kinds.length === 0 ? names : [...new Set([...names, ...ofKinds])],
      ...(environment && { environment }),
      step: turn,
      refuse: () => turn(),
      ...(vocabulary.read && { read: vocabulary.read }),
    }
  }
  const worldOf = (...worldArguments: Parameters<typeof plainWorld>): PerturbedWorld =>
    perturbWorld(plainWorld(...worldArguments), applied, random)

  refuseAlias(applied)
  const worlds = vocabulary.forms.map((forms) => plainWorld(forms, []))
  for (const perturbation of applied) checkReach(perturbation, worlds, random)
  for (const forms of vocabulary.forms) worldOf(forms, [])
  return {
    formsOf(texts: readonly string[]): readonly ActionForm[] {
      const [first = []] = vocabulary.forms
      if (vocabulary.forms.length < 2) return first
      const names = createNameFinder(vocabulary.names(texts))
      const isShared = (template: string): boolean =>
        vocabulary.forms.every((forms) => forms.some((form) => form.template === template))
      const counts = vocabulary.forms.map((forms) => {
        const templates = forms.map(({ template }) => template).filter((template) => !isShared(template))
        return texts.reduce((sum, text) => {
          const mentions = findForms(templates, text, names.at).map(({ start, end }) => text.slice(start, end))
          return sum + mentions.reduce((more, mention) => more + (/[{(<[]/.test(mention) ? openFormWeight : 1), 0)
        }, 0)
      })
      return vocabulary.forms[counts.indexOf(Math.max(...counts))]!
    },
    namesIn(texts: readonly string[]): NameFinder & { readonly list: readonly string[] } {
      const list = [...new Set(vocabulary.names(texts))]
      return { ...createNameFinder(list), list }
    },
    /** @throws ShaketableError `perturbation` if the names or forms of the request cannot be reworded */
    view(forms: readonly ActionForm[], names: readonly string[], texts: Text) {
      const world = worldOf(forms, names, texts)
      const { names: before } = world.original
      const isRenamed = world.names.some((name, index) => name !== before[index])
      const [own, shown] = [forms, world.briefing.forms].map((all) => all.map(({ template }) => template))
      const changed = own!.flatMap((template, index) => (isRenamed || template !== shown![index] ? [index] : []))
      const wording = (all: readonly string[], known: readonly string[]) => {
        const [changedForms, finder] = [changed.map((index) => all[index]!), createNameFinder(known)]
        return (text: string): readonly Span[] => {
          const more = vocabulary.names([text]).filter((name) => !finder.has(name))
          return findForms(changedForms, text, (more.length === 0 ? finder : createNameFinder([...known, ...more])).at)
        }
      }
      const newNames = createNameFinder(world.names.filter((name) => !before.includes(name)))
      return {
        forms,
        perturbedForms: world.briefing.forms,
        /** The given pieces, each as it is shown. */
        shown: world.opening,
        dose: world.dose!(),
        command: (command: string): string => world.fromEnvironment(command),
        /** Translates an action of the model for the harness, unless it is refused. */
        act(action: string): Acted {
          const isKnown = (name: string): boolean => names.includes(name) || world.names.includes(name)
          const more = vocabulary.names([action, ...guesses(action)]).filter((name) => !isKnown(name))
          const here = more.length === 0 ? world : worldOf(forms, [...names, ...more])
          const { command, refused } = here.toEnvironment(action)
          return { command, refused, known: understands(command, forms, [...names, ...more], vocabulary) }
        },
        /** Where a text mentions an action whose wording is changed, in the model's wording. */
        newMentions: wording(shown!, world.names),
        /** The same in the environment's wording. */
        oldMentions: wording(own!, before),
        /** Whether a text contains an item under a name that only the model knows. */
        hasNewName: (text: string): boolean => newNames.replace(text, () => '') !== text,
        /** Whether a text matches some form, in either wording, with any text in its slots. */
        isAction: (text: string): boolean =>
          nearestForm([...forms, ...world.briefing.forms], text.replace(/(?<![\s.])[\s.]+$/, '')) !== undefined,
      }
    },
  }
}

/** @throws ShaketableError `perturbation` for mode alias */
export function refuseAlias(applied: readonly AppliedPerturbation[]): void {
  const alias = applied.find(({ mode }) => mode === 'alias')
  if (alias === undefined) return
  throw new ShaketableError(
    'perturbation',
    `'${alias.perturbation.name}' is in mode alias, whose order of the two wordings is counterbalanced over episodes, and a proxy does not know where episodes begin. Leave mode=alias out, or measure it with shaketable run.`,
  )
}

/** @throws ShaketableError `perturbation` for one that needs more than texts, or that changes none */
function checkReach(perturbation: AppliedPerturbation, worlds: readonly World[], random: Random): void {
  const { name, takesCondition } = perturbation.perturbation
  const refuse = (why: string): ShaketableError =>
    new ShaketableError(
      'perturbation',
      `The perturbation '${name}' ${why}. A proxy plays only perturbations that reword actions or items. Use shaketable run for this one.`,
    )
  if (takesCondition !== undefined) throw refuse('needs the texts of another condition')
  const isRewording = worlds.map(({ briefing, names, environment }) => {
    const lens = openLens(perturbation, { briefing, names, random, ...(environment && { environment }) })
    // Prose is reworded with the items in it.
    const reached = ['rules', 'form', 'name', ...(lens.name ? ['text'] : [])]
    const other = Object.keys(lens).find((hook) => !reached.includes(hook))
    if (other !== undefined) {
      throw refuse(
        `has the hook '${other}', and a proxy cannot distinguish an environment's texts from the harness's own`,
      )
    }
    const rewords = ({ template }: ActionForm): boolean => (lens.form?.(template) ?? template) !== template
    return lens.name !== undefined || briefing.forms.some(rewords)
  })
  if (!isRewording.includes(true)) throw refuse('rewords none of these actions and no items')
}

/** Names in an action that were not seen yet: `drawer 3` for `drawer3`, `drawer-3` and `drawer_3`. */
function guesses(action: string): readonly string[] {
  return [...action.slice(0, 2000).matchAll(/(\p{Ll}+)[-_ ]?(\d+)/gu)].map(
    ([, word, number]) => `the ${word!} ${number!}`,
  )
}

/** Whether an action matches one of the forms, with known names. */
function understands(
  action: string,
  forms: readonly ActionForm[],
  names: readonly string[],
  { read }: TextVocabulary,
): boolean {
  const finder = createNameFinder(names)
  const command = action.trim().replace(/(?<!\.)\.+$/, '')
  const templates = forms.map(({ template }) => template)
  const isExact = templates.some((template) => readForm(template, command, finder.has, finder.longest) !== undefined)
  return isExact || read?.(action, templates, names, true) !== undefined
}

/** A shown piece as text. */
export function showPiece(piece: Piece, isCapital: boolean): string {
  const text = typeof piece !== 'string' && 'form' in piece ? printForm(piece.form, piece.fill ?? {}) : pieceText(piece)
  return isCapital ? text.slice(0, 1).toUpperCase() + text.slice(1) : text
}

/** A piece of plain text; `isCapital` if it begins with a capital letter that its form does not have. */
interface RecoveredPiece {
  readonly piece: Piece
  readonly isCapital: boolean
}

/**
 * Splits plain text into commands with items in all slots, action forms with open slots, and prose. Of overlapping
 * mentions the first counts, and of two with the same start the longer. A single word such as `look` counts only if
 * it is alone: on a line, in quotes, in a list.
 */
export function recoverPieces(
  text: string,
  templates: readonly string[],
  names: NameFinder,
): readonly RecoveredPiece[] {
  const pieces: RecoveredPiece[] = []
  let done = 0
  const prose = (end: number): void => {
    if (end > done) pieces.push({ piece: text.slice(done, end), isCapital: false })
  }
  for (const { start, end, template } of findForms(templates, text, names.at)) {
    if (start < done) continue
    const first = parseTemplate(template).literals[0]!
    const command = first + text.slice(start + first.length, end)
    const isCapital = first !== '' && text[start] !== first[0]
    const fill = readForm(template, command, (value) => names.has(value) || isOpenSlot(value))
    if (fill === undefined) continue
    prose(start)
    const isCommand = Object.values(fill).every(names.has)
    pieces.push({ piece: isCommand ? { command } : { form: template, fill }, isCapital })
    done = end
  }
  prose(text.length)
  return pieces
}

import type { AppliedPerturbation, Lens, Scene } from '../../core/perturbation.js'
import { mapProse, piecesOf, textOf } from '../../core/text.js'
import { nearestForm } from '../../core/wording.js'

/**
 * The smallest unit of what a condition changes that can be left out: one action form, one kind of item, one part of
 * the text that a hook changes, or one failure of an action.
 */
export interface Change {
  readonly perturbation: string
  readonly hook: string
  /**
   * For `form` the template and for `name` the kind of item, both as in the environment; for `act` the number of the
   * failure in its episode, from 1; else the part of the text.
   */
  readonly of: string
  /** The text before and after the change, where it is short. */
  readonly before?: string
  readonly after?: string
}

/** Identifies a change among those of its condition. */
export function changeId({ perturbation, hook, of }: Change): string {
  return `${perturbation} ${hook} ${of}`
}

/**
 * The perturbations of a condition, limited to the changes that `keeps` selects. With all changes it is the condition,
 * with none the unperturbed environment, to the byte. A selection in which two actions or items get the same wording
 * fails when it is opened, as any perturbation does. Known limits: prose of a lens that also renames items follows the
 * kinds of item that it mentions, and a form that is quoted but not listed follows the listed form that it resembles.
 * @param keeps is called with every change as soon as it is known: with forms and names when a lens is opened, with
 * others when they are first made; it can be called several times with one change
 */
export function restrict(
  applied: readonly AppliedPerturbation[],
  keeps: (change: Change) => boolean,
): readonly AppliedPerturbation[] {
  /** Names in the environment's spelling, in the order in which every lens of the episode gets them. */
  let original: readonly string[] = []
  return applied.map(({ perturbation, ...settings }, index) => {
    const { enlarges, ...others } = perturbation
    const { name } = perturbation
    const keepsObjects = enlarges && keeps({ perturbation: name, hook: 'enlarge', of: 'objects' })
    const isKept: IsKept = (hook, of, texts) => keeps({ perturbation: name, hook, of, ...texts })
    return {
      ...settings,
      perturbation: {
        ...others,
        ...(keepsObjects && { enlarges }),
        open(scene) {
          const names = namesOf(scene)
          if (index === 0) original = names
          const origins = new Map(names.map((item, place) => [item, original[place] ?? item]))
          return restrictLens(perturbation.open(scene), scene, (item) => origins.get(item) ?? item, isKept)
        },
      },
    }
  })
}

type IsKept = (hook: string, of: string, texts?: Pick<Change, 'before' | 'after'>) => boolean

function restrictLens(lens: Lens, scene: Scene, originOf: (name: string) => string, isKept: IsKept): Lens {
  const names = lens.name && restrictNames(lens, scene, originOf, isKept)
  const { text, brief, commands, act } = lens
  let [failures, lastFailure] = [0, 0]
  return {
    ...(lens.rules && { rules: lens.rules }),
    ...(lens.lists && { lists: lens.lists }),
    ...(lens.recovery && { recovery: lens.recovery }),
    ...(lens.form && { form: restrictForms(lens, scene, isKept) }),
    ...names,
    ...(text && {
      text(pieces, at) {
        const other = names?.text === undefined ? lens.text!(pieces, at) : names.text(pieces, at)
        const [before, after] = [textOf(pieces), textOf(piecesOf(other))]
        if (before === after || names?.text !== undefined) return other
        return isKept('text', at.part, at.part === 'goal' ? { before, after } : {}) ? other : pieces
      },
    }),
    ...(brief && {
      brief(briefing, moment) {
        const { examples, ...others } = lens.brief!(briefing, moment)
        const keepsOthers = Object.keys(others).length > 0 && isKept('brief', 'instruction')
        return {
          ...(keepsOthers && others),
          ...(examples !== undefined && isKept('brief', 'examples') && { examples }),
        }
      },
    }),
    ...(commands && {
      commands(list, moment) {
        const other = lens.commands!(list, moment)
        const isSame = other.length === list.length && other.every((command, index) => command === list[index])
        return isSame || isKept('commands', 'lists') ? other : list
      },
    }),
    ...(act && {
      act(action, moment) {
        const failure = lens.act!(action, moment)
        if (failure === undefined) return undefined
        if (moment.turn > lastFailure) failures++
        lastFailure = moment.turn
        const answer = textOf(piecesOf(failure.answer))
        const texts = { before: `turn ${String(moment.turn)}`, after: answer }
        return isKept('act', String(failures), texts) ? failure : undefined
      },
    }),
    ...(lens.wrap && {
      wrap(world) {
        const other = lens.wrap!(world)
        return other === world || isKept('wrap', 'world') ? other : world
      },
    }),
  }
}

function restrictForms(lens: Lens, { briefing: { forms } }: Scene, isKept: IsKept): NonNullable<Lens['form']> {
  const kept = new Map<string, boolean>()
  for (const { template, origin = template } of forms) {
    const other = lens.form!(template)
    if (other !== template) kept.set(template, isKept('form', origin, { before: template, after: other }))
  }
  const changed = forms.filter(({ template }) => kept.has(template))
  const keepsAll = [...kept.values()].every(Boolean)
  return (template) => {
    const near = kept.has(template) ? template : nearestForm(changed, template)?.found.template
    const keeps = near === undefined ? kept.size > 0 && keepsAll : kept.get(near)!
    return keeps ? lens.form!(template) : template
  }
}

/** The last word of a name before its number, its kind (`ball` of `red ball 1`), or the name itself. */
function kindOf(name: string): string {
  return /(?<kind>\p{L}+)[ _-]?\d{1,4}$/u.exec(name)?.groups?.['kind'] ?? name
}

function restrictNames(
  lens: Lens,
  scene: Scene,
  originOf: (name: string) => string,
  isKept: IsKept,
): Pick<Lens, 'name' | 'text'> {
  const kept = new Map<string, boolean>()
  /** Words of the kinds that are left out, as they are below the lens. */
  const left = new Set<string>()
  for (const name of new Set(namesOf(scene))) {
    const other = lens.name!(name)
    if (other === name) continue
    const kind = kindOf(originOf(name))
    if (!kept.has(kind)) kept.set(kind, isKept('name', kind, { before: name, after: other }))
    if (!kept.get(kind)!) left.add(kindOf(name))
  }
  const keepsAny = [...kept.values()].some(Boolean)
  const words = [...left].filter((word) => /^\p{L}+$/u.test(word))
  const leftWords =
    words.length === 0 ? undefined : new RegExp(`(?<![\\p{L}\\p{N}-])(${words.join('|')})(?![\\p{L}\\p{N}-])`, 'giu')
  return {
    name: (name) => ((kept.get(kindOf(originOf(name))) ?? left.size === 0) ? lens.name!(name) : name),
    ...(lens.text && {
      text(pieces, at) {
        if (!keepsAny && left.size > 0) return pieces
        if (leftWords === undefined) return lens.text!(pieces, at)
        return mapProse(pieces, (prose) => {
          const parts = prose.split(leftWords)
          const change = (part: string): string => textOf(piecesOf(lens.text!([part], at)))
          return parts.map((part, index) => (index % 2 === 1 ? part : change(part))).join('')
        })
      },
    }),
  }
}

function namesOf({ names, briefing }: Scene): readonly string[] {
  return [...names, ...briefing.examples.flatMap((example) => example.names)]
}

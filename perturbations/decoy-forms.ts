import type { ActionForm, Scene, Text, World } from '../src/define.js'
import { createRandom, definePerturbation, parseTemplate, readForm, withDose } from '../src/define.js'
import { isFree } from './_forms.js'

/** Endings of names, one for each draw: `take-2 {obj} from {recep}`. */
const endings = ['2', 'new', 'v2', 'pro', 'plus']

/** What is said of a decoy and of the action that it stands beside, by the option `says`. */
const words: Readonly<Record<string, { readonly decoy: string; readonly real: string }>> = {
  better: { decoy: 'the recommended way, which always works', real: '' },
  faster: { decoy: 'answers within 5 milliseconds', real: 'answers after about 30 seconds' },
  same: { decoy: '', real: '' },
}

/**
 * A second action form beside each, which is refused as an unknown action is: under a similar name (`names=similar`),
 * or under the same verb with another number of slots (`names=equal`). Its description is that of the real one, with
 * what is said of either beside it. In `tools` these are functions. Intensity is the share of the forms that get one.
 */
export default definePerturbation({
  name: 'decoy-forms',
  summary: 'actions have a twin of a similar or equal name that is described as better, and refused',
  source:
    'this testbed, after the misleading metadata and the tools of equal names of RobustBench-TC (arXiv 2605.11928)',
  promise: 'harder',
  touches: 'action',
  adversarial: true,
  graded: true,
  draws: endings.length,
  options: { says: Object.keys(words), names: ['similar', 'equal'] },
  open(scene) {
    const { briefing, draw, intensity, options } = scene
    const lie = words[options['says']!]!
    const random = createRandom(`decoy-forms/${String(draw)}`)
    const templates = new Set(briefing.forms.map(({ template }) => template))
    const twins = random.shuffle([...briefing.forms]).flatMap(({ template, meaning }): [string, Twin][] => {
      const other = options['names'] === 'equal' ? withOtherSlots(template) : withEnding(scene, template)
      if (other === undefined || templates.has(other) || briefing.help.includes(template)) return []
      templates.add(other)
      const decoy = { template: other, meaning: withRemark(meaning, lie.decoy) }
      const real = { template, meaning: withRemark(meaning, lie.real) }
      return [[template, { decoy, real, isFirst: random.next() < 0.5 }]]
    })
    const decoys = new Map(twins.slice(0, Math.round(intensity * twins.length)))
    if (decoys.size === 0) return {}
    return {
      wrap: (world) => addDecoys(world, decoys),
      brief: ({ instruction }) => ({ instruction: listDecoys(instruction, briefing.forms, decoys) }),
    }
  },
})

/** A description with a remark: behind a semicolon, or as a sentence of its own behind sentences. */
function withRemark(meaning: string, remark: string): string {
  if (remark === '' || meaning === '') return meaning + remark
  return /[.!?]$/.test(meaning) ? `${meaning} ${remark[0]!.toUpperCase()}${remark.slice(1)}.` : `${meaning}; ${remark}`
}

interface Twin {
  readonly decoy: ActionForm
  readonly real: ActionForm
  /** Whether the decoy is listed before the real form. */
  readonly isFirst: boolean
}

/** The form with a verb that ends otherwise, `take-2 {obj} from {recep}`; undefined where it begins with none. */
function withEnding(scene: Scene, template: string): string | undefined {
  const verb = /^[\p{L}\p{N}'-]+/u.exec(template)?.[0]
  if (verb === undefined) return undefined
  const free = endings.map((ending) => `${verb}-${ending}`).filter((ending) => isFree(scene, ending.toLowerCase()))
  const chosen = free[(scene.draw - 1) % Math.max(1, free.length)]
  return chosen === undefined ? undefined : chosen + template.slice(verb.length)
}

/** The form without its second slot, or with a second one: `take {obj}`, `open {recep} with {thing}`. */
function withOtherSlots(template: string): string | undefined {
  const { literals, slots } = parseTemplate(template)
  if (slots.length === 0 || literals[0]!.trim() === '') return undefined
  return slots.length === 1 ? `${template} with {thing}` : `${literals[0]!}{${slots[0]!}}`
}

function addDecoys(world: World, twins: ReadonlyMap<string, Twin>): World {
  const { briefing } = world
  const both = ({ decoy, real, isFirst }: Twin): ActionForm[] => (isFirst ? [decoy, real] : [real, decoy])
  const isDecoy = (action: string): boolean =>
    [...twins.values()].some(({ decoy }) => readForm(decoy.template, action) !== undefined) &&
    briefing.forms.every(({ template }) => readForm(template, action) === undefined)
  const changed: World = {
    ...world,
    briefing: {
      ...briefing,
      forms: briefing.forms.flatMap((form) => {
        const twin = twins.get(form.template)
        return twin === undefined ? [form] : both(twin)
      }),
    },
    step: (action) => (isDecoy(action) ? world.refuse(action) : world.step(action)),
    ...(world.understands && { understands: (action) => !isDecoy(action) && world.understands!(action) }),
  }
  return withDose(changed, () => ({ listed: twins.size }))
}

/** The instruction with a line for each decoy beside that of its form, in the same layout. */
function listDecoys(instruction: Text, forms: readonly ActionForm[], twins: ReadonlyMap<string, Twin>): Text {
  const lines = linesOf(instruction).flatMap((line): Text[] => {
    const formsHere = line.flatMap((piece) => (typeof piece !== 'string' && 'form' in piece ? [piece.form] : []))
    const twin = formsHere.length === 1 ? twins.get(formsHere[0]!) : undefined
    if (twin === undefined) return [line]
    const { meaning = '' } = forms.find(({ template }) => template === formsHere[0]) ?? {}
    const worded = ({ template, meaning: told }: ActionForm): Text =>
      line.map((piece, at) => {
        if (typeof piece !== 'string') return 'form' in piece ? { ...piece, form: template } : piece
        if (meaning !== '' && piece.includes(meaning)) return piece.replace(meaning, () => told)
        return at === line.length - 1 && told !== meaning ? piece + told.slice(meaning.length) : piece
      })
    return (twin.isFirst ? [twin.decoy, twin.real] : [twin.real, twin.decoy]).map(worded)
  })
  return lines
    .flatMap((line, index) => (index === 0 ? line : ['\n', ...line]))
    .reduce<(typeof instruction)[number][]>((joined, piece) => {
      const last = joined.at(-1)
      if (typeof last === 'string' && typeof piece === 'string') joined[joined.length - 1] = last + piece
      else joined.push(piece)
      return joined
    }, [])
}

/** The pieces of each line. */
function linesOf(text: Text): Text[] {
  const lines: (typeof text)[number][][] = [[]]
  for (const piece of text) {
    if (typeof piece !== 'string') lines.at(-1)!.push(piece)
    else {
      const [first, ...rest] = piece.split('\n')
      if (first !== '') lines.at(-1)!.push(first!)
      lines.push(...rest.map((line) => (line === '' ? [] : [line])))
    }
  }
  return lines
}

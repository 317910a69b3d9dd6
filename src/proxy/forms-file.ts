import { parseDocument } from 'yaml'
import { z } from 'zod'
import type { TextVocabulary } from '../define/environment.js'
import { ShaketableError } from '../core/errors.js'
import { parseTemplate } from '../core/form.js'
import { readText } from '../files/read-text.js'

const line = (what: string) =>
  z.string(what).regex(/^\S(?:.{0,198}\S)?$/, `${what} on one line, of at most 200 characters`)
const form = line('an action form')
const forms = z.array(z.union([form, z.strictObject({ template: form, meaning: z.string().default('') })]), 'a list')
const names = z.union(
  [z.literal('word number'), z.array(line('a name')).max(10_000)],
  "'word number', or a list of names",
)
const schema = z.strictObject({
  forms: forms.min(1, 'at least one action form').max(1000, 'at most 1,000 action forms'),
  names: names.default('word number'),
})

/**
 * Reads the actions and items of a user's environment, in YAML or JSON. @throws ShaketableError `bad-input` with the
 * path and the place in it
 */
export function readFormsFile(path: string): TextVocabulary {
  const advice = "Give the name of an environment, or a file such as {forms: ['take {obj} from {recep}']}."
  const text = readText('The file of --forms', path, advice)
  const document = parseDocument(text)
  const [fault] = document.errors
  const read = schema.safeParse(fault === undefined ? document.toJS({ maxAliasCount: 100 }) : undefined)
  if (!read.success) {
    const { path: at, message } = read.error.issues[0]!
    const place = [path, ...at.map(String)].join(': ')
    throw new ShaketableError('bad-input', `${place}: ${fault?.message ?? `expected ${message}`}. ${advice}`)
  }
  const { forms, names } = read.data
  const templates = forms.map((form) => (typeof form === 'string' ? { template: form, meaning: '' } : form))
  const broken = templates.find(({ template }) => parseTemplate(template).literals.slice(1, -1).includes(''))
  if (broken !== undefined) {
    throw new ShaketableError(
      'bad-input',
      `${path}: '${broken.template}' has two slots without a word between them. Add one.`,
    )
  }
  const finder = namesAfter(templates.map(({ template }) => template))
  return { forms: [templates], names: names === 'word number' ? finder : () => names }
}

/** The rule `word number`: a word in lower case and a number, after an article or a word that precedes a slot. */
function namesAfter(templates: readonly string[]): TextVocabulary['names'] {
  const words = templates.flatMap((template) => {
    const { literals, slots } = parseTemplate(template)
    return literals.slice(0, slots.length).flatMap((literal) => /(?<!\S)(\S+)\s*$/.exec(literal)?.[1] ?? [])
  })
  const before = new Set([...words.map((word) => word.toLowerCase()), 'a', 'an', 'the'])
  return (texts) => {
    const names = new Set<string>()
    for (const text of texts) {
      for (const { 1: first, 2: name } of text.matchAll(/(?<=(\S+) )(\p{Ll}+ \d+)(?![\p{L}\p{N}_])/gu)) {
        if (before.has(first!.toLowerCase())) names.add(name!)
      }
    }
    return [...names]
  }
}

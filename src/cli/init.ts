import { existsSync } from 'node:fs'
import { type Interface, createInterface } from 'node:readline/promises'
import { isatty } from 'node:tty'
import * as z from 'zod'
import { messageOf } from '../core/errors.js'
import { packagedData, packagedText } from '../files/packaged.js'
import { writeWhole } from '../files/write-whole.js'
import { parseAddress } from '../models/address.js'
import { listServed } from '../models/probe/probe-server.js'
import { commonProblem } from '../run/definitions.js'
import { shipped } from '../run/registry.js'
import { type OptionsOf, makeCommand, usageError } from './_flags.js'
import { escapeLine, print, say } from './_lines.js'

const starter = z.strictObject({
  /** The kind of definition; absent for other files. */
  defines: z.enum(['lens', 'environment']).optional(),
  /** The name if none is given. */
  name: z.string(),
  /** Texts by path. */
  files: z.record(z.string(), z.string()).optional(),
  /** Files that docs/ci.md shows. */
  pages: z.array(z.string()).optional(),
  /** Commands to run next. */
  next: z.array(z.string()),
})
const readStarters = packagedData('src/cli/starters.yaml', z.record(z.string(), starter))
const readPage = packagedText('docs/ci.md')
const kinds = ['perturbation', 'environment', 'experiment', 'ci']

const flags = [
  'Of an experiment, in place of a question:',
  ['--base-url <address>', 'the OpenAI-compatible server of the model'],
  ['--model <name>', 'the model, or a control model where there is no server'],
  ['--env <name>', 'the world that it is played in'],
] as const

type InitFlags = OptionsOf<typeof flags>

/** `shaketable init [KIND] [NAME]`: writes a working starter into the current folder. */
export const initCommand = () =>
  makeCommand({
    places: [
      ['[kind]', 'kind of starter', 'experiment', kinds],
      ['[name]', 'its name, in lower-case letters, digits and single dashes (default: my-KIND)'],
    ],
    flags,
    run: init,
  })

async function init(kind: string, given: string | undefined, flags: InitFlags): Promise<void> {
  const { defines, files = {}, pages = [], next, ...starter } = readStarters()[kind]!
  const name = given ?? starter.name
  const problem = commonProblem({ name })
  if (problem !== undefined) throw usageError(`Expected ${problem[1]}, got '${escapeLine(name.slice(0, 100))}'.`)
  if (defines !== undefined && shipped.list(defines).some((definition) => definition.name === name))
    throw usageError(`The ${kind} '${name}' ships with shaketable. Choose another name.`)
  if (kind !== 'experiment' && Object.keys(flags).length > 0)
    throw usageError(`--base-url, --model and --env are for an experiment, not for a ${kind}.`)
  const named = (text: string): string => text.replaceAll('<name>', name)
  const written = [
    ...Object.entries(files).map(([path, text]) => ({ path: named(path), text: named(text) })),
    ...pages.map((path) => ofPage(path, name)),
  ]
  const taken = written.find(({ path }) => existsSync(path))
  if (taken !== undefined)
    throw usageError(
      `${taken.path} exists already and was not changed. Give another name: shaketable init ${kind} NAME.`,
    )
  const fill = kind === 'experiment' ? await createFill(flags) : named
  for (const { path, text } of written) writeWhole(path, fill(text), 'Choose another folder')
  const lines = next.map((line) => `  ${named(line)}`)
  await print([`Wrote ${written.map(({ path }) => path).join(' and ')}. Next:`, ...lines].join('\n'))
}

/** A file that docs/ci.md shows with the name robustness. */
function ofPage(path: string, name: string) {
  const page = readPage()
  const start = page.indexOf('\n', page.indexOf(` [${path}]\n`)) + 1
  const text = page.slice(start, page.indexOf('```', start))
  return { path: path.replace('robustness', name), text: text.replaceAll('robustness', name) }
}

/** Fills the starter of an experiment: from flags, and for the rest from answers on a terminal, or else defaults. */
async function createFill(flags: InitFlags) {
  const isTerminal = isatty(0) && isatty(2)
  const terminal = isTerminal ? createInterface({ input: process.stdin, output: process.stderr }) : undefined
  const { environment, model, baseUrl } = await askChoice(terminal, flags).finally(() => terminal?.close())
  const served = baseUrl === undefined ? '' : `\n    baseUrl: ${JSON.stringify(baseUrl)}`
  return (text: string): string =>
    text.replace('<environment>', environment).replace('<model>', () => JSON.stringify(model) + served)
}

/** Asks on a terminal for what the flags do not say; without one the answers are the defaults. */
export async function askChoice(terminal: Interface | undefined, { baseUrl, model, env }: InitFlags) {
  const ended = new AbortController()
  terminal?.once('close', () => ended.abort())
  /** Asks until an answer passes its check; an empty one is the default. What is given is only checked. */
  const ask = async (
    name: string | undefined,
    question: string,
    fallback: string,
    check: (answer: string) => unknown,
  ): Promise<string> => {
    for (;;) {
      const asked = name ?? terminal?.question(`${question} [${fallback}] `, { signal: ended.signal })
      const typed = await Promise.resolve(asked).catch(() => {
        throw usageError('Expected an answer, but the input has ended. Nothing was written.')
      })
      const answer = typed?.trim() || fallback
      try {
        check(answer)
        return answer
      } catch (thrown) {
        if (name !== undefined || terminal === undefined) throw thrown
        say(messageOf(thrown))
      }
    }
  }
  const none = 'none'
  const address = await ask(
    baseUrl ?? (model === undefined ? undefined : none),
    'Address of the OpenAI-compatible server; none plays a control model',
    none,
    (answer) => answer === none || parseAddress(answer),
  )
  /** The first of the models that a server lists; it gets no key, since none was named for it. */
  const firstServed = async (): Promise<string> => {
    const options = { model: '', baseUrl: address, apiKey: '', keyVariable: null, timeoutMs: 5000 }
    const [first = ''] = (await listServed(options)) ?? []
    return escapeLine(first.slice(0, 100))
  }
  const fallback = address === none ? 'reader' : terminal === undefined ? '' : await firstServed()
  const chosen = await ask(model, 'Model', fallback, (name) => {
    if (address === none) shipped.find('model', name)
    else if (name === '') throw usageError('--base-url: expected --model with the name of a model of this server.')
  })
  const worlds = shipped.list('environment').map(({ name }) => name)
  const environment = await ask(env, `World (${worlds.join(', ')})`, 'household', (name) =>
    shipped.find('environment', name),
  )
  return { model: chosen, environment, ...(address !== none && { baseUrl: address }) }
}

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Interface } from 'node:readline/promises'
import { createInterface } from 'node:readline/promises'
import { isatty } from 'node:tty'
import { Argument, Command } from 'commander'
import { ShaketableError, messageOf } from '../core/errors.js'
import { asWriteError } from '../files/write-error.js'
import { isServerAddress } from '../models/address.js'
import { listServed } from '../models/probe/probe-server.js'
import { commonProblem } from '../run/definitions.js'
import { shipped } from '../run/registry.js'
import { escapeLine, print, say } from './_lines.js'
import type { Choice } from './_starters.js'
import { experimentOf, starters } from './_starters.js'

interface InitFlags {
  readonly baseUrl?: string
  readonly model?: string
  readonly env?: string
}

/** `shaketable init [KIND] [NAME]`: writes a working starter into the current folder. */
export function initCommand(): Command {
  return new Command('init')
    .description(
      'Writes a commented, working starter into this folder. For an experiment it asks for server, model and world. Existing files are not changed.',
    )
    .addArgument(new Argument('[kind]', 'kind of starter').choices(Object.keys(starters)).default('experiment'))
    .argument('[name]', 'its name, in lower-case letters, digits and single dashes (default: my-KIND)')
    .optionsGroup('Of an experiment, in place of a question:')
    .option('--base-url <address>', 'the OpenAI-compatible server of the model')
    .option('--model <name>', 'the model, or a control model where there is no server')
    .option('--env <name>', 'the world that it is played in')
    .action(init)
}

async function init(kind: string, given: string | undefined, flags: InitFlags): Promise<void> {
  const starter = starters[kind]!
  const name = given ?? starter.name
  const problem = commonProblem({ name })
  if (problem !== undefined) {
    throw new ShaketableError('usage', `Expected ${problem[1]}, got '${escapeLine(name.slice(0, 100))}'.`)
  }
  if (starter.kind !== undefined && shipped.list(starter.kind).some((one) => one.name === name)) {
    throw new ShaketableError('usage', `The ${kind} '${name}' ships with shaketable. Choose another name.`)
  }
  if (kind !== 'experiment' && Object.keys(flags).length > 0) {
    throw new ShaketableError('usage', `--base-url, --model and --env are for an experiment, not for a ${kind}.`)
  }
  const planned = starter.files(name)
  const existing = planned.find(({ path }) => existsSync(path))
  if (existing !== undefined) throw taken(existing.path, kind)
  const choice = kind === 'experiment' ? await choose(flags) : undefined
  const files = choice === undefined ? planned : [{ path: `${name}.yaml`, text: experimentOf(name, choice) }]
  for (const { path, text } of files) {
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text, { flag: 'wx' })
    } catch (thrown) {
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST') throw taken(path, kind)
      throw asWriteError(thrown, path, 'Choose another folder')
    }
  }
  const written = files.map(({ path }) => path).join(' and ')
  await print(
    `Wrote ${written}. Next:\n${starter
      .next(name)
      .map((line) => `  ${line}`)
      .join('\n')}`,
  )
}

function taken(path: string, kind: string): ShaketableError {
  return new ShaketableError(
    'usage',
    `${path} exists already and was not changed. Give another name: shaketable init ${kind} NAME.`,
  )
}

/** What the flags say already. */
type Answers = { readonly [Flag in keyof InitFlags]: InitFlags[Flag] | undefined }

/** What an experiment plays: from flags, and for the rest from the answers on a terminal. */
async function choose({ baseUrl, model, env }: InitFlags): Promise<Choice | undefined> {
  if (baseUrl !== undefined) checkAddress(baseUrl)
  if (model !== undefined && baseUrl === undefined) checkControl(model)
  if (env !== undefined) shipped.find('environment', env)
  if (isatty(0) && isatty(2) && (model === undefined || env === undefined)) {
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return await askChoice(terminal, { baseUrl, model, env })
    } finally {
      terminal.close()
    }
  }
  if ((baseUrl ?? model ?? env) === undefined) return undefined
  if (baseUrl !== undefined && model === undefined) {
    throw new ShaketableError(
      'usage',
      '--base-url: expected --model with the name of a model of this server, got none.',
    )
  }
  return { environment: env ?? 'household', model: model ?? 'reader', ...(baseUrl !== undefined && { baseUrl }) }
}

/** Asks on a terminal for what the flags do not say. */
export async function askChoice(terminal: Interface, { baseUrl, model, env }: Answers): Promise<Choice> {
  const ended = new AbortController()
  terminal.once('close', () => ended.abort())
  /** Asks until an answer can be used; an empty one is the default. */
  const ask = async (question: string, fallback: string, check: (answer: string) => void): Promise<string> => {
    for (;;) {
      const answer = await terminal.question(`${question} [${fallback}] `, { signal: ended.signal }).catch(() => {
        throw new ShaketableError('usage', 'Expected an answer, but the input has ended. Nothing was written.')
      })
      try {
        check(answer.trim() || fallback)
        return answer.trim() || fallback
      } catch (thrown) {
        say(messageOf(thrown))
      }
    }
  }
  const none = 'none'
  const address =
    baseUrl ??
    (model === undefined
      ? await ask('Address of the OpenAI-compatible server; none plays a control model', none, (answer) => {
          if (answer !== none) checkAddress(answer)
        })
      : none)
  const server = address === none ? undefined : address
  const served = server === undefined || model !== undefined ? [] : await namesAt(server)
  const player =
    model ??
    (server === undefined
      ? await ask('Control model', 'reader', checkControl)
      : await ask(`Model${served.length > 1 ? ` (${served.join(', ')})` : ''}`, served[0] ?? '', (answer) => {
          if (answer === '') throw new ShaketableError('usage', 'Expected the name of the model on its server.')
        }))
  const worlds = shipped.list('environment').map(({ name }) => name)
  const environment =
    env ?? (await ask(`World (${worlds.join(', ')})`, 'household', (answer) => shipped.find('environment', answer)))
  return { environment, model: player, ...(server !== undefined && { baseUrl: server }) }
}

/** The first models that a server lists; it gets no key, since none was named for it. */
async function namesAt(baseUrl: string): Promise<readonly string[]> {
  const options = { model: '', baseUrl, apiKey: '', keyVariable: null, timeoutMs: 5000 }
  const { names = [], why } = await listServed(options)
  if (why !== undefined) say(`The server does not list its models now: ${why}.`)
  return names.slice(0, 10).map((name) => escapeLine(name.slice(0, 100)))
}

function checkAddress(address: string): void {
  if (isServerAddress(address)) return
  throw new ShaketableError(
    'usage',
    `--base-url: expected an address such as http://localhost:8000/v1, got '${escapeLine(address.slice(0, 100))}'.`,
  )
}

function checkControl(name: string): void {
  shipped.find('model', name)
}

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Interface } from 'node:readline/promises'
import { createInterface } from 'node:readline/promises'
import { isatty } from 'node:tty'
import { messageOf } from '../core/errors.js'
import { asWriteError } from '../files/write-error.js'
import { isServerAddress } from '../models/address.js'
import { listServed } from '../models/probe/probe-server.js'
import { commonProblem } from '../run/definitions.js'
import { shipped } from '../run/registry.js'
import type { OptionsOf } from './_flags.js'
import { makeCommand, usageError } from './_flags.js'
import { escapeLine, print, say } from './_lines.js'
import type { Choice } from './_starters.js'
import { experimentOf, starters } from './_starters.js'

const flags = [
  'Of an experiment, in place of a question:',
  ['--base-url <address>', 'the OpenAI-compatible server of the model'],
  ['--model <name>', 'the model, or a control model where there is no server'],
  ['--env <name>', 'the world that it is played in'],
] as const

type InitFlags = OptionsOf<typeof flags>

/** `shaketable init [KIND] [NAME]`: writes a working starter into the current folder. */
export const initCommand = () =>
  makeCommand(
    'init',
    'Writes a commented, working starter into this folder. For an experiment it asks for server, model and world. Existing files are not changed.',
    {
      places: [
        ['[kind]', 'kind of starter', 'experiment', Object.keys(starters)],
        ['[name]', 'its name, in lower-case letters, digits and single dashes (default: my-KIND)'],
      ],
      flags,
      run: init,
    },
  )

async function init(kind: string, given: string | undefined, flags: InitFlags): Promise<void> {
  const starter = starters[kind]!
  const name = given ?? starter.name
  const problem = commonProblem({ name })
  if (problem !== undefined) throw usageError(`Expected ${problem[1]}, got '${escapeLine(name.slice(0, 100))}'.`)
  if (starter.kind !== undefined && shipped.list(starter.kind).some((one) => one.name === name))
    throw usageError(`The ${kind} '${name}' ships with shaketable. Choose another name.`)
  if (kind !== 'experiment' && Object.keys(flags).length > 0)
    throw usageError(`--base-url, --model and --env are for an experiment, not for a ${kind}.`)
  const planned = starter.files(name)
  const taken = planned.find(({ path }) => existsSync(path))
  if (taken !== undefined) {
    throw usageError(
      `${taken.path} exists already and was not changed. Give another name: shaketable init ${kind} NAME.`,
    )
  }
  const files =
    kind === 'experiment' ? [{ path: `${name}.yaml`, text: experimentOf(name, await choose(flags)) }] : planned
  for (const { path, text } of files) {
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text, { flag: 'wx' })
    } catch (thrown) {
      throw asWriteError(thrown, path, 'Choose another folder')
    }
  }
  const next = starter.next(name).map((line) => `  ${line}`)
  await print([`Wrote ${files.map(({ path }) => path).join(' and ')}. Next:`, ...next].join('\n'))
}

/** What an experiment plays: from flags, and for the rest from the answers on a terminal. */
async function choose(flags: InitFlags): Promise<Choice> {
  const { baseUrl, model, env } = flags
  if (baseUrl !== undefined) checkAddress(baseUrl)
  if (model !== undefined && baseUrl === undefined) shipped.find('model', model)
  if (env !== undefined) shipped.find('environment', env)
  if (isatty(0) && isatty(2) && (model === undefined || env === undefined)) {
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return await askChoice(terminal, flags)
    } finally {
      terminal.close()
    }
  }
  if (baseUrl !== undefined && model === undefined)
    throw usageError('--base-url: expected --model with the name of a model of this server, got none. Give it.')
  return { environment: env ?? 'household', model: model ?? 'reader', ...(baseUrl !== undefined && { baseUrl }) }
}

const noServer = 'none'

/** Asks on a terminal for what the flags do not say. */
export async function askChoice(terminal: Interface, { baseUrl, model, env }: InitFlags): Promise<Choice> {
  const ended = new AbortController()
  terminal.once('close', () => ended.abort())
  /** Asks until an answer can be used; an empty one is the default. */
  const ask = async (question: string, fallback: string, check: (answer: string) => unknown): Promise<string> => {
    for (;;) {
      const given = await terminal.question(`${question} [${fallback}] `, { signal: ended.signal }).catch(() => {
        throw usageError('Expected an answer, but the input has ended. Nothing was written.')
      })
      const answer = given.trim() || fallback
      try {
        check(answer)
        return answer
      } catch (thrown) {
        say(messageOf(thrown))
      }
    }
  }
  const askAddress = (): Promise<string> =>
    ask('Address of the OpenAI-compatible server; none plays a control model', noServer, (answer) => {
      if (answer !== noServer) checkAddress(answer)
    })
  /** A control model, or one of those that the server lists; it gets no key, since none was named for it. */
  const askModel = async (): Promise<string> => {
    if (address === noServer) return ask('Control model', 'reader', (name) => shipped.find('model', name))
    const options = { model: '', baseUrl: address, apiKey: '', keyVariable: null, timeoutMs: 5000 }
    const { names = [], why } = await listServed(options)
    if (why !== undefined) say(`The server does not list its models now: ${why}.`)
    const served = names.slice(0, 10).map((name) => escapeLine(name.slice(0, 100)))
    return ask(`Model${served.length > 1 ? ` (${served.join(', ')})` : ''}`, served[0] ?? '', (answer) => {
      if (answer === '') throw usageError('Expected the name of the model on its server.')
    })
  }
  const address = baseUrl ?? (model === undefined ? await askAddress() : noServer)
  const worlds = shipped.list('environment').map(({ name }) => name)
  return {
    model: model ?? (await askModel()),
    environment:
      env ?? (await ask(`World (${worlds.join(', ')})`, 'household', (name) => shipped.find('environment', name))),
    ...(address !== noServer && { baseUrl: address }),
  }
}

function checkAddress(address: string): void {
  if (isServerAddress(address)) return
  throw usageError(
    `--base-url: expected an address such as http://localhost:8000/v1, got '${escapeLine(address.slice(0, 100))}'.`,
  )
}

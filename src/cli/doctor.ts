import { closeWorlds } from '../core/close-worlds.js'
import { ShaketableError } from '../core/errors.js'
import { createRandom } from '../core/random.js'
import { meaningOf } from '../models/probe/findings.js'
import { probeServer } from '../models/probe/probe-server.js'
import { count } from '../tables/words.js'
import { describeServer } from './_describe-server.js'
import { type OptionsOf, environmentFlags, makeCommand, openNamed, readPlugins, usageError, whole } from './_flags.js'
import { print, printDocument, say, textOf } from './_lines.js'
import { exits } from './_signals.js'

const flags = [
  ['--model <name>', 'name of the model on the server'],
  ['--env <name>', 'name of an environment'],
  ['--base-url <address>', 'an OpenAI-compatible server (default: OPENAI_BASE_URL); its key comes from OPENAI_API_KEY'],
  whole('--timeout <seconds>', 'longest wait for one answer', 1, 3600, 60),
  ['--json', 'print all evidence as JSON'],
  ...environmentFlags,
] as const

type DoctorFlags = OptionsOf<typeof flags>

/** `shaketable doctor`: probes a model server, or tries an environment, before a run. */
export const doctorCommand = () =>
  makeCommand({
    flags,
    rules: [
      ['--model', 'or', '--env'],
      ['--model', 'excludes', '--env'],
    ],
    run: ({ env, ...options }: DoctorFlags) =>
      env === undefined ? examineModel(options) : examineEnvironment(env, options),
  })

/** Opens an environment, has it diagnose itself, and begins an episode. */
async function examineEnvironment(name: string, { json, ...options }: DoctorFlags): Promise<void> {
  const registry = await readPlugins(options)
  registry.find('environment', name)
  const problems: string[] = []
  let problem: string | undefined
  try {
    const environment = await openNamed(registry, name, options)
    problems.push(`It has ${count(environment.tasks.length, 'task')}.`, ...environment.notes)
    problems.push(...((await environment.diagnose?.()) ?? []))
    const [task] = environment.tasks
    if (task !== undefined) await closeWorlds([await environment.begin(task, createRandom('0'))])
  } catch (thrown) {
    if (!(thrown instanceof ShaketableError)) throw thrown
    problem = thrown.message
    process.exitCode = exits.wrong
  }
  const ready = problem === undefined
  await (json
    ? printDocument({ environment: name, ready, found: problems, ...(!ready && { problem }) })
    : print(textOf([`${name} ${ready ? 'is ready' : `is not ready: ${problem!}`}`, ...problems])))
}

async function examineModel({ model = '', baseUrl: address, timeout, json }: DoctorFlags): Promise<void> {
  const baseUrl = address ?? process.env['OPENAI_BASE_URL'] ?? ''
  if (baseUrl === '') {
    throw usageError(
      '--base-url: expected the address of a server, got nothing, and OPENAI_BASE_URL is not set. Write it like http://localhost:8000/v1.',
    )
  }
  const report = await probeServer({ model, baseUrl, timeoutMs: timeout * 1000, logprobs: true, warn: say })
  const findings = report.findings.map((finding) => ({ ...finding, meaning: meaningOf(finding) }))
  await (json ? printDocument({ ...report, findings }) : print(describeServer(report)))
}

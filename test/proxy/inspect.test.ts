import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { json, startLoopback } from '../models/loopback.js'
import { shaketable, start } from '../cli/_command.js'
import { hasPackages, python, runPython } from '../python.js'
import { scratchFolder } from '../scratch.js'

const script = (name: string): string => fileURLToPath(new URL(`../../experiments/python/${name}`, import.meta.url))

interface Asked {
  readonly messages: readonly { readonly role: string }[]
  readonly tools: readonly { readonly function: { readonly name: string; readonly parameters: { readonly properties: object } } }[]
} // prettier-ignore

/** The calls that solve the task: which of the three functions, and with what. */
const solution = [
  [0, 'kitchen'],
  [1, 'brass key'],
  [0, 'hall'],
  [2, 'cellar'],
  [0, 'cellar'],
] as const
const memorised = [
  ['go_to', 'room'],
  ['take', 'thing'],
  ['unlock', 'room'],
] as const

/** A server whose model solves the task with the functions that it is offered, or with those that it has memorised. */
const serveModel = (reads: boolean) =>
  startLoopback((response, _, received) => {
    const { messages, tools } = received!.body as unknown as Asked
    const step = solution[messages.filter(({ role }) => role === 'assistant').length]
    const calls = (step === undefined ? [] : [step]).map(([which, item]) => {
      const { name, parameters } = tools[which]!.function
      const [own, slot] = reads ? [name, Object.keys(parameters.properties)[0]!] : memorised[which]!
      return { id: 'c1', type: 'function', function: { name: own, arguments: JSON.stringify({ [slot]: item }) } }
    })
    const message = { role: 'assistant', content: 'So.', ...(calls.length > 0 && { tool_calls: calls }) }
    const choices = [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }]
    const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
    json({ id: 'c', object: 'chat.completion', created: 1, model: 'tuned', choices, usage })(response)
  })

describe.skipIf(!hasPackages('inspect_ai', 'openai'))('Inspect', () => {
  const scratch = scratchFolder()

  it.each([
    ['reads what it is offered', true, { accuracy: 1, memorised: 0 }],
    ['has memorised the names of functions', false, { accuracy: 0, memorised: 5 }],
  ])('plays its own task through the proxy, with a model that %s', async (_, reads, expected) => {
    const folder = join(scratch, String(reads))
    mkdirSync(folder)
    const task = readFileSync(script('inspect_task.py'), 'utf8')
    writeFileSync(join(folder, 'inspect_task.py'), task)
    const forms = /^ {4}(forms: .*)\n {4}(names: .*)$/m.exec(task)!
    writeFileSync(join(folder, 'rooms.yaml'), `${forms[1]!}\n${forms[2]!}\n`)
    const model = await serveModel(reads)
    const flags = ['--upstream', model.baseUrl, '--forms', 'rooms.yaml', '--perturb', 'pseudo-verbs', '--log', 'p.jsonl']
    const proxy = start(['proxy', ...flags], folder)
    const address = await new Promise<string>((resolve) =>
      proxy.child.stdout!.once('data', (text) => resolve(String(text).trim())),
    )
    const args = ['eval', 'inspect_task.py', '--model', 'openai-api/lab/tuned', '--model-base-url', address, '--log-dir', 'logs', '--log-format', 'json', '--display', 'plain'] // prettier-ignore
    const env = { ...process.env, LAB_API_KEY: 'none' }
    const inspect = spawn(join(dirname(python), 'inspect'), args, { cwd: folder, env })
    let output = ''
    for (const stream of [inspect.stdout, inspect.stderr]) stream.on('data', (text) => (output += String(text)))
    const code = await new Promise((resolve) => inspect.on('close', resolve))
    proxy.child.kill('SIGINT')
    await proxy.ended
    await model.close()
    expect(code, output).toBe(0)
    const read = 'import glob\nfrom inspect_ai.log import read_eval_log\nlog = read_eval_log(glob.glob("logs/*.json")[0])\nprint(log.status, log.results.scores[0].metrics["accuracy"].value)\n'
    expect(runPython(read, [], folder).stdout).toBe(`success ${expected.accuracy.toFixed(1)}\n`)
    const { stdout } = await shaketable(['report', '--proxy-log', 'p.jsonl', '--format', 'json'], folder)
    const { rows } = JSON.parse(stdout) as { readonly rows: readonly { memorised: number; refused: number }[] }
    expect(rows[0]).toMatchObject({ memorised: expected.memorised, refused: expected.memorised, dose: { forms: 3 } })
  }, 120_000) // prettier-ignore

  it('reads a run that was exported in ATIF: a log for each model and condition, a sample for each episode', async () => {
    const run = ['run', '--env', 'household', '--tasks', '2', '--seeds', '2', '--temperatures', '0.5', '--perturb', 'agentrefine-2', '--model', 'reader,parrot', '--out', 'run'] // prettier-ignore
    expect(await shaketable(run, scratch)).toMatchObject({ code: 0 })
    const exported = ['data', 'export', 'run', '--format', 'atif', '--out', 'run.jsonl']
    expect(await shaketable(exported, scratch)).toMatchObject({ code: 0 })
    const log = spawn(python, [script('inspect_log.py'), 'run.jsonl', '--log-dir', 'logs'], { cwd: scratch })
    expect(await new Promise((resolve) => log.on('close', resolve))).toBe(0)
    const read = `
import glob, json
from inspect_ai.log import read_eval_log
for path in sorted(glob.glob("logs/*.eval")):
    log = read_eval_log(path)
    success = log.results.scores[0].metrics["mean"].value
    print(json.dumps([log.eval.task, log.eval.model, log.eval.config.epochs, len(log.samples), success == sum(s.scores["success"].value for s in log.samples) / 4]))
`
    const lines = runPython(read, [], scratch).stdout.trim().split('\n').map((line) => JSON.parse(line) as unknown) // prettier-ignore
    expect(lines).toEqual(
      ['parrot', 'reader'].flatMap((model) =>
        ['agentrefine-2', 'none'].map((condition) => [`household/${condition}`, `shaketable/${model}`, 2, 4, true]),
      ),
    )
  }, 120_000)
})

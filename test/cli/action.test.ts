import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const text = readFileSync(join(root, 'action.yml'), 'utf8')

interface Step {
  readonly id?: string
  readonly if?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
  readonly run?: string
}
const action = parse(text) as {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly steps: readonly Step[] }
}

const scratch = scratchFolder()

/** Runs the steps of action.yml with bash as GitHub's runner does, but for those of other actions and the build. */
function perform(workspace: string, inputs: Readonly<Record<string, string>>) {
  const steps: Record<string, { outcome: string; outputs: Record<string, string> }> = {}
  const known: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    github: { action_path: root, sha: 'a'.repeat(40), run_id: '7', run_attempt: '1' },
    runner: { os: 'Linux', arch: 'X64' },
  }
  const valueOf = (name: string): string => {
    const [kind, first, ...rest] = name.trim().split('.')
    if (kind === 'inputs') return inputs[first!] ?? action.inputs[first!]!.default ?? ''
    if (kind !== 'steps') return known[kind!]![first!]!
    const step = steps[first!]
    return rest[0] === 'outcome' ? (step?.outcome ?? 'skipped') : (step?.outputs[rest[1]!] ?? '')
  }
  const resolve = (value: unknown): string =>
    String(value).replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
      expression.split('||').reduce((found, name) => (found === '' ? valueOf(name) : found), ''),
    )
  let [failed, log, summary, uploaded] = [false, '', '', '']
  for (const [place, step] of action.runs.steps.entries()) {
    const always = /^\$\{\{ always\(\) && steps\.(\w+)\.outcome != 'skipped' \}\}$/.exec(step.if ?? '')
    expect(step.if === undefined || always !== null, step.if).toBe(true)
    if (always ? (steps[always[1]!]?.outcome ?? 'skipped') === 'skipped' : failed) continue
    if (step.uses?.startsWith('actions/upload-artifact')) uploaded = resolve(step.with!['path'])
    if (step.id === 'build' || step.uses !== undefined) continue
    const files = { GITHUB_OUTPUT: `${workspace}.output`, GITHUB_STEP_SUMMARY: `${workspace}.summary` }
    for (const file of Object.values(files)) writeFileSync(file, '')
    writeFileSync(`${workspace}.sh`, step.run!)
    const { PATH, HOME } = process.env
    const own = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, one]) => [name, resolve(one)]))
    const env = { PATH, HOME, GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: workspace, ...files, ...own }
    const bash = ['--noprofile', '--norc', '-eo', 'pipefail', `${workspace}.sh`]
    const { status, stdout, stderr } = spawnSync('bash', bash, { cwd: workspace, encoding: 'utf8', env })
    log += stdout + stderr
    summary += readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8')
    const lines = readFileSync(files.GITHUB_OUTPUT, 'utf8').trim().split('\n')
    const outputs = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.replace(/^.*?=/, '')]),
    )
    steps[step.id ?? String(place)] = { outcome: status === 0 ? 'success' : 'failure', outputs }
    if (status !== 0) failed = true
  }
  const outputs = Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, resolve(value)]))
  return { failed, outputs, log, summary, uploaded: uploaded.trim().split('\n') }
}

const experiment = (tasks: number): string =>
  `name: gate\nenvironments: [household]\ntasks: ${String(tasks)}\nperturbations: [agentrefine-2]\nmodels: [reader]\ntemperatures: [1]\nseeds: 2\n`

let baselines = ''

function newWorkspace(files: Readonly<Record<string, string>>): string {
  const workspace = mkdtempSync(join(scratch, 'workspace-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true })
    writeFileSync(join(workspace, name), content)
  }
  if (baselines !== '') cpSync(baselines, join(workspace, 'baselines'), { recursive: true })
  return workspace
}

const given = { experiment: 'gate.yaml', baseline: 'baselines/gate.json' }

beforeAll(() => {
  const made = join(scratch, 'baselines')
  mkdirSync(made)
  for (const [name, tasks] of [
    ['gate', 70],
    ['few', 10],
  ] as const) {
    const workspace = newWorkspace({ 'gate.yaml': experiment(tasks) })
    const ended = perform(workspace, given)
    expect(ended.failed, ended.log).toBe(true)
    expect(ended.outputs['verdict']).toBe('error')
    expect(ended.log).toContain(
      '::error title=shaketable check::There is no baseline baselines/gate.json. The artifact has',
    )
    cpSync(join(workspace, 'runs/gate/baseline.json'), join(made, `${name}.json`))
  }
  baselines = made
}, 180_000)

describe('action.yml', () => {
  it('has no expression in a script, where a value could become code', () => {
    const scripts = action.runs.steps.flatMap(({ run }) => (run === undefined ? [] : [run]))
    expect(scripts.length).toBeGreaterThan(3)
    for (const script of scripts) expect(script).not.toContain('${{')
  })

  it.each([
    ['reader', 'gate', false, 'pass', 'PASS'],
    ['parrot', 'gate', true, 'fail', 'REGRESSION'],
    ['reader', 'few', false, 'inconclusive', 'INCONCLUSIVE'],
  ])(
    'checks %s against the baseline %s',
    (model, baseline, failed, verdict, says) => {
      const workspace = newWorkspace({ 'gate.yaml': experiment(baseline === 'few' ? 10 : 70) })
      const inputs = { experiment: 'gate.yaml', model, baseline: `baselines/${baseline}.json`, inconclusive: 'pass' }
      const ended = perform(workspace, inputs)
      const outputs = { verdict, report: 'runs/gate/report/report.html' }
      expect([ended.failed, ended.outputs], ended.log).toEqual([failed, outputs])
      expect(ended.summary).toMatch(new RegExp(`^# shaketable check: ${says}\n[^]*\\| Model \\|`))
      expect(/^::(?:error|warning) title=/m.test(ended.log)).toBe(verdict !== 'pass')
      const found = ended.uploaded.filter((path) => existsSync(join(workspace, path.trim())))
      expect(found).toEqual(['runs/gate/junit.xml', 'runs/gate/check.json', 'runs/gate/report'])
    },
    120_000,
  )

  it.each([
    [{}, 'The experiment cannot be played', 'environments: [nowhere]\nmodels: [reader]\n'],
    [{ model: '$(touch hacked)' }, 'The experiment cannot be played'],
    [{ baseline: '`touch hacked`\n::error::x' }, 'Expected inputs of one line'],
    [{ 'api-key-env': 'a[$(touch hacked)]' }, 'api-key-env: expected the name'],
  ])(
    'fails with an annotation or a message for %j',
    (inputs, message, file = experiment(2)) => {
      const workspace = newWorkspace({ 'gate.yaml': file })
      const ended = perform(workspace, { ...given, ...inputs })
      expect([ended.failed, ended.outputs['verdict']]).toEqual([true, 'error'])
      expect(ended.log).toContain(message)
      expect(ended.log).not.toMatch(/^\s+at /m)
      expect(readdirSync(workspace)).not.toContain('hacked')
    },
    60_000,
  )
})

it('the starter of a gate uses the action with inputs that it has, and gives all that are required', async () => {
  const folder = mkdtempSync(join(scratch, 'starter-'))
  await shaketable(['init', 'ci', 'robustness'], folder)
  const workflow = readFileSync(join(folder, '.github/workflows/robustness.yml'), 'utf8')
  const { jobs } = parse(workflow) as { jobs: { gate: { steps: readonly Step[] } } }
  const step = jobs.gate.steps.find(({ uses }) => uses?.includes('/shaketable@') === true)!
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with!)))
  const required = Object.entries(action.inputs).flatMap(([name, input]) => (input.required === true ? [name] : []))
  expect(Object.keys(step.with!)).toEqual(expect.arrayContaining(required))
  expect(existsSync(join(folder, String(step.with!['experiment'])))).toBe(true)
})

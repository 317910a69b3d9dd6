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

/** How the action ended in a workspace. */
interface Ended {
  readonly failed: boolean
  readonly outputs: Readonly<Record<string, string>>
  readonly log: string
  readonly summary: string
  /** The resolved inputs of each action that it used, by name. */
  readonly used: ReadonlyMap<string, Readonly<Record<string, string>>>
}

/** Runs the steps of action.yml with bash as GitHub's runner does; its cache is a folder beside the workspace. */
function perform(
  workspace: string,
  inputs: Readonly<Record<string, string>>,
  { attempt = 1, variables = {} }: { attempt?: number; variables?: Readonly<Record<string, string>> } = {},
): Ended {
  const steps: Record<string, { outcome: string; outputs: Record<string, string> }> = {}
  const github: Record<string, string> = {
    action_path: root,
    sha: 'a'.repeat(40),
    run_id: '7',
    run_attempt: String(attempt),
  }
  const valueOf = (name: string): string => {
    const [kind, first, ...rest] = name.trim().split('.')
    if (kind === 'inputs') return inputs[first!] ?? action.inputs[first!]!.default ?? ''
    if (kind === 'github') return github[first!]!
    if (kind === 'runner') return { os: 'Linux', arch: 'X64' }[first!]!
    if (kind !== 'steps') throw new Error(`unknown expression ${name}`)
    const step = steps[first!]
    return rest[0] === 'outcome' ? (step?.outcome ?? 'skipped') : (step?.outputs[rest[1]!] ?? '')
  }
  const resolve = (value: unknown): string =>
    String(value).replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
      expression.split('||').reduce((found, name) => (found === '' ? valueOf(name) : found), ''),
    )
  const cache = `${workspace}.cache`
  const used = new Map<string, Readonly<Record<string, string>>>()
  let [failed, log, summary] = [false, '', '']
  for (const [place, step] of action.runs.steps.entries()) {
    const always = /^\$\{\{ always\(\) && steps\.(\w+)\.outcome != 'skipped' \}\}$/.exec(step.if ?? '')
    expect(step.if === undefined || always !== null, step.if).toBe(true)
    if (always ? (steps[always[1]!]?.outcome ?? 'skipped') === 'skipped' : failed) continue
    // The package is built before the tests, and its dependencies stay as they are.
    if (step.id === 'build') continue
    if (step.uses !== undefined) {
      const given = Object.fromEntries(Object.entries(step.with ?? {}).map(([name, one]) => [name, resolve(one)]))
      used.set(step.uses, given)
      const stored = (key: string): string => join(cache, key)
      if (step.uses.startsWith('actions/cache/save') && existsSync(join(workspace, given['path']!)))
        cpSync(join(workspace, given['path']!), stored(given['key']!), { recursive: true })
      if (step.uses.startsWith('actions/cache/restore') && existsSync(cache)) {
        const found = readdirSync(cache).find((key) => key.startsWith(given['restore-keys']!))
        if (found !== undefined) cpSync(stored(found), join(workspace, given['path']!), { recursive: true })
      }
      continue
    }
    const files = { GITHUB_OUTPUT: `${workspace}.output`, GITHUB_STEP_SUMMARY: `${workspace}.summary` }
    for (const file of Object.values(files)) writeFileSync(file, '')
    writeFileSync(`${workspace}.sh`, step.run!)
    const { PATH, HOME } = process.env
    const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, one]) => [name, resolve(one)]))
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', `${workspace}.sh`],
      {
        cwd: workspace,
        encoding: 'utf8',
        env: { PATH, HOME, GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: workspace, ...files, ...variables, ...env },
      },
    )
    log += stdout + stderr
    summary += readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8')
    const outputs = readFileSync(files.GITHUB_OUTPUT, 'utf8').trim().split('\n')
    steps[step.id ?? String(place)] = {
      outcome: status === 0 ? 'success' : 'failure',
      outputs: Object.fromEntries(outputs.map((line) => [line.slice(0, line.indexOf('=')), line.replace(/^.*?=/, '')])),
    }
    if (status !== 0) failed = true
  }
  const outputs = Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, resolve(value)]))
  return { failed, outputs, log, summary, used }
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
      const uploaded = ended.used.get('actions/upload-artifact@v4')!['path']!.trim().split('\n')
      const found = uploaded.filter((path) => existsSync(join(workspace, path.trim())))
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

  it('goes on where it was: another attempt at the same commit restores the run', () => {
    const workspace = newWorkspace({ 'gate.yaml': experiment(70) })
    const first = perform(workspace, { ...given, 'max-minutes': '0.0001' })
    expect(first.outputs['verdict'], first.log).toBe('broken')
    expect(first.log).toContain('The run was stopped before everything was played')
    const kept = first.used.get('actions/cache/save@v4')!
    const files = readdirSync(join(workspace, kept['path']!))
    expect(files.length).toBeGreaterThan(0)
    // A new runner has the checkout alone.
    const again = `${workspace}-again`
    mkdirSync(again)
    cpSync(`${workspace}.cache`, `${again}.cache`, { recursive: true })
    cpSync(join(workspace, 'gate.yaml'), join(again, 'gate.yaml'))
    cpSync(join(workspace, 'baselines'), join(again, 'baselines'), { recursive: true })
    const second = perform(again, given, { attempt: 2 })
    expect(second.outputs['verdict'], second.log).toBe('pass')
    const restored = second.used.get('actions/cache/restore@v4')!
    expect(kept['key']!.startsWith(restored['restore-keys']!)).toBe(true)
    expect(second.used.get('actions/cache/save@v4')!['key']).not.toBe(kept['key'])
    // Another experiment or model never takes this run.
    const other = perform(newWorkspace({ 'gate.yaml': `${experiment(2)}# changed\n` }), given)
    expect(other.used.get('actions/cache/restore@v4')!['restore-keys']).not.toBe(restored['restore-keys'])
  }, 120_000)
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

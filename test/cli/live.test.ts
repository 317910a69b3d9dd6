import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EpisodeRow } from '../../src/core/episode.js'
import { scratchFolder } from '../scratch.js'
import { rowsOf as storedRows, shaketable, start, untilLines } from './_command.js'
import type { Request } from './_served.js'
import { closeServer, serveChat as serve } from './_served.js'

const scratch = scratchFolder()

const args = (out: string, address: string, ...more: string[]) => [
  ...[
    ...'run --env household --tasks 3 --perturb placebo --model tuned --base-url'.split(' '),
    address,
    '--seeds',
    '2',
  ],
  ...['--temperatures', '0.5', '--steps', '2', '--no-probe', '--out', out, ...more],
]
const rowsOf = (out: string) => storedRows(join(scratch, out))

describe('a model on a server', () => {
  it('receives the temperature of each episode and a seed for each call, in several requests at a time', async () => {
    const asked: Request[] = []
    const seen = { now: 0, most: 0 }
    const address = await serve(async (request) => {
      asked.push(request)
      seen.most = Math.max(seen.most, ++seen.now)
      await new Promise((resolve) => setTimeout(resolve, 20))
      seen.now--
      return { status: 200, content: 'Action: look' }
    })
    const { code, stderr } = await shaketable(args('asked', address, '--concurrency', '3'), scratch)
    expect(code, stderr).toBe(0)
    expect(asked.length).toBe(3 * 2 * 2 * 2)
    expect(new Set(asked.map(({ model, temperature }) => `${model} ${String(temperature)}`))).toEqual(
      new Set(['tuned 0.5']),
    )
    expect(new Set(asked.map(({ seed }) => seed)).size).toBe(asked.length)
    expect(seen.most).toBe(3)
    const rows = rowsOf('asked')
    expect(new Set(rows.map(({ seed }) => seed))).toEqual(new Set([0, 1]))
    expect(rows.every(({ outcome, measures }) => outcome === 'step-limit' && measures.promptTokens === 100)).toBe(true)
    expect(rows.every(({ date }) => /^20\d\d-\d\d-\d\d$/.test(date ?? ''))).toBe(true)
    expect(new Set(rows.map(({ agent }) => agent))).toEqual(new Set(['react']))
    expect(stderr).toContain('Tasks: household: 3 tasks (generated, split valid-unseen, generation old).\n')
  })

  it('plays one seed at temperature 0, more where requested, and all seeds of a run that was started with all', async () => {
    const asked: Request[] = []
    const address = await serve((request) => {
      asked.push(request)
      return Promise.resolve({ status: 200, content: 'Action: look' })
    })
    const cold = (out: string, ...more: string[]) => args(out, address, '--temperatures', '0', '--seeds', '3', ...more)
    const planned = await shaketable(cold('cold', '--dry-run'), scratch)
    expect(planned.stdout).toContain('the first seed alone with tuned; --seeds-at-zero <n> plays more')
    const { code, stderr } = await shaketable(cold('cold'), scratch)
    expect(code, stderr).toBe(0)
    expect(rowsOf('cold').map(({ seed }) => seed)).toEqual([0, 0, 0, 0, 0, 0])
    expect((await shaketable(cold('two', '--seeds-at-zero', '2'), scratch)).code).toBe(0)
    expect(readFileSync(join(scratch, 'two', 'report/tables/robustness.md'), 'utf8')).toContain(
      'At temperature 0 the 2 runs are 1 distinct run for household',
    )
    const keysOf = (out: string) =>
      rowsOf(out)
        .filter(({ seed }) => seed === 0)
        .map(({ key }) => key)
        .sort()
    expect(keysOf('two')).toEqual(keysOf('cold'))
    expect(rowsOf('two')).toHaveLength(12)

    // A run of an earlier version, which played all seeds at every temperature and sent every call the plain seed.
    const path = join(scratch, 'cold', 'plan.json')
    const { plan, experiment, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as Record<
      string,
      Record<string, unknown>
    >
    const [model] = plan!['models'] as { name: string; settings: Record<string, unknown> }[]
    const models = [{ name: model!.name, settings: { endpoint: address, model: model!.name } }]
    expect(model!.settings).toEqual({ ...models[0]!.settings, pairing: 'common' })
    const { seedsAtZero, pairing, ...before } = experiment!
    expect([seedsAtZero, pairing]).toEqual([1, 'common'])
    rmSync(join(scratch, 'cold', 'outcomes.jsonl'))
    asked.length = 0
    writeFileSync(path, JSON.stringify({ ...rest, plan: { ...plan, models }, experiment: before }))
    const again = await shaketable(cold('cold'), scratch)
    expect(again.code, again.stderr).toBe(0)
    const seeds = rowsOf('cold').map(({ seed }) => seed)
    expect([0, 1, 2].map((one) => seeds.filter((seed) => seed === one).length)).toEqual([6, 6, 6])
    expect(new Set(asked.map(({ seed }) => seed))).toEqual(new Set([0, 1, 2]))
    // All its seeds stay planned, and are there.
    expect((await shaketable(cold('cold', '--seeds-at-zero', '1'), scratch)).stderr).toContain(
      'nothing is played again',
    )
    const paired = await shaketable(cold('cold', '--pairing', 'common'), scratch)
    expect(paired.code).toBe(2)
    expect(paired.stderr).toContain('models.tuned.settings.pairing: was absent, is common')
  })

  it('that filters content is not asked again for what it refused, unless the command says so', async () => {
    let [isFiltering, asked] = [true, 0]
    const address = await serve(({ messages }) => {
      asked++
      const isRefused = isFiltering && messages.some(({ content }) => content.includes('mug'))
      return isRefused
        ? { status: 400, content: "The prompt triggered Azure OpenAI's content management policy" }
        : { content: 'Action: look' }
    })
    const filtered = (...more: string[]) => args('filtered', address, '--tasks', '6', '--json', ...more)
    const first = await shaketable(filtered(), scratch)
    const refused = rowsOf('filtered').filter((row) => row.refused)
    const { length } = refused
    expect([length > 0, length < 24]).toEqual([true, true])
    const sentence = `The server refused the conversation of ${String(length)} episodes, as a content filter does; the same command does not play them again, unless with --retry-refused.`
    expect([first.code, first.stderr]).toEqual([1, expect.stringContaining(sentence)])
    expect(first.stderr).not.toContain('to play them again')
    asked = 0
    isFiltering = false
    const second = await shaketable(filtered(), scratch)
    expect([second.code, asked, second.stderr]).toEqual([1, 0, expect.stringContaining(sentence)])
    expect(JSON.parse(second.stdout)).toMatchObject({
      state: 'errors',
      episodes: { planned: 24, stored: 24 - length, played: 0, errors: length },
    })
    const third = await shaketable(filtered('--retry-refused'), scratch)
    expect([third.code, rowsOf('filtered').length], third.stderr).toEqual([0, 24 + length])
    expect((await shaketable(filtered(), scratch)).code).toBe(0)
  }, 60_000)

  it('whose gateway changes the model in mid-run, or within an episode, is named with every name of its replies', async () => {
    // Two calls an episode: the fifth episode has replies of both.
    const address = await serve((_, count) => ({ content: 'Action: look', model: count < 10 ? 'tuned' : 'small-8b' }))
    const { code, stderr } = await shaketable(args('gateway', address, '--concurrency', '1'), scratch)
    expect(code, stderr).toBe(0)
    expect(rowsOf('gateway').map(({ servedBy }) => servedBy)).toEqual([
      ...Array<string[]>(4).fill(['tuned']),
      ['tuned', 'small-8b'],
      ...Array<string[]>(7).fill(['small-8b']),
    ])
    const report = readFileSync(join(scratch, 'gateway', 'report', 'report.json'), 'utf8')
    expect((JSON.parse(report) as { notices: object[] }).notices).toContainEqual(
      expect.objectContaining({
        kind: 'changed-model',
        text: expect.stringContaining(
          "signed by 2 models: 'tuned' in 5 episodes and 'small-8b' in 8 episodes",
        ) as string,
      }),
    )
  })

  it('that refuses requests leaves errors behind, which are named, not scored, and played again', async () => {
    let broken = true
    const address = await serve(() =>
      Promise.resolve(broken ? { status: 400, content: 'no such model\u001b[2J' } : { status: 200, content: 'look' }),
    )
    const first = await shaketable(args('errors', address), scratch)
    expect(first.code).toBe(1)
    expect(first.stderr).toContain(
      '12 episodes ended in an error and are not counted; run the same command again to play them again.',
    )
    expect(first.stderr).toMatch(/ {2}12 × model-error of tuned: .*no such model/)
    expect(first.stderr).not.toContain('\u001b')
    expect(rowsOf('errors').every(({ outcome }) => outcome === 'model-error')).toBe(true)
    broken = false
    const second = await shaketable(args('errors', address), scratch)
    expect(second.code, second.stderr).toBe(0)
    const rows = rowsOf('errors')
    expect(rows.length).toBe(24)
    expect(new Set(rows.slice(12).map(({ key }) => key))).toEqual(new Set(rows.slice(0, 12).map(({ key }) => key)))
    const third = await shaketable(args('errors', address), scratch)
    expect(third.stderr.split('\n').slice(1).join('\n')).toBe(
      'errors has all 12 episodes already; nothing is played again.\n',
    )
  })

  it('that is permanently unreachable stops the run instead of failing every episode', async () => {
    const address = await serve(() => Promise.resolve({ status: 401, content: 'bad key sk-abcdefgh' }))
    const { code, stderr } = await shaketable(args('gone', address, '--seeds', '20'), scratch)
    expect(code).toBe(4)
    expect(stderr).toMatch(
      /\n3 calls in a row have failed, so the run was stopped\. The last: The key was refused\. .* 401: bad key … Check OPENAI_API_KEY\.\n$/,
    )
    expect(stderr).not.toContain('abcdefgh')
    expect(rowsOf('gone').length).toBeLessThan(40)
  })

  it('that becomes unreachable stops the run with one message, and the report of what was played is written', async () => {
    let gone = false
    const address = await serve((_, count) =>
      Promise.resolve(
        gone && count > 20 ? { status: 404, content: 'no such model' } : { status: 200, content: 'look' },
      ),
    )
    gone = true
    const more = ['--seeds', '20', '--attempts', '1', '--concurrency', '2']
    const { code, stderr, stdout } = await shaketable(args('away', address, ...more), scratch)
    expect(code).toBe(4)
    expect(stderr.match(/no such model/g)).toHaveLength(1)
    expect(stderr).toMatch(/episodes are kept in away, and its reports are marked as partial/)
    expect(stdout).toContain('PARTIAL')
    expect(rowsOf('away').length).toBeLessThan(20)
    gone = false
    const whole = await shaketable(args('away', address, ...more), scratch)
    expect(whole.code, whole.stderr).toBe(0)
    expect(whole.stdout).not.toContain('PARTIAL')
  })

  it.each([
    ['--max-episodes', '5', 5],
    ['--max-calls', '9', 4],
    ['--max-tokens-total', '250', 2],
    ['--max-cost', '0.3', 2],
  ])('receives no more than %s %s allows, and as much again the next time', async (flag, value, episodes) => {
    const address = await serve(() => Promise.resolve({ status: 200, content: 'look' }))
    const prices = join(scratch, 'prices.json')
    writeFileSync(prices, '{"tuned": {"prompt": 1000, "completion": 2000}}')
    const out = `budget${flag}`
    const budget = [flag, value, '--prices', prices, '--concurrency', '1']
    const first = await shaketable(args(out, address, ...budget), scratch)
    expect(first.code, first.stderr).toBe(4)
    expect(first.stderr).toContain(`The budget of this session is used up (${flag} ${value})`)
    expect(first.stderr).toMatch(/This session took \d+ calls in \d+ attempts and \d+ tokens in \d+ s, which cost \d/)
    expect(first.stdout).toContain('PARTIAL: the run was stopped before all was played')
    expect(rowsOf(out).length).toBe(episodes)
    await shaketable(args(out, address, ...budget), scratch)
    expect(rowsOf(out).length).toBe(2 * episodes)
    const last = await shaketable(args(out, address), scratch)
    expect(last.code, last.stderr).toBe(0)
    expect(last.stdout).not.toContain('PARTIAL')
    expect(rowsOf(out).length).toBe(12)
  })

  it('that reports an impossibly large token count is played once, and an episode of an unknown task is played again', async () => {
    const usage = { prompt_tokens: 2 ** 53 - 1, completion_tokens: 2 ** 53 - 1 }
    const address = await serve(() => Promise.resolve({ status: 200, content: 'look', usage }))
    const first = await shaketable(args('countless', address), scratch)
    expect(first.code, first.stderr).toBe(0)
    const again = await shaketable(args('countless', address), scratch)
    expect(again.code, again.stderr).toBe(0)
    expect(again.stderr).toContain('has all 12 episodes already; nothing is played again')
    expect(rowsOf('countless').map(({ measures }) => measures.promptTokens)).toEqual(Array(12).fill(0))
    // A row with a known key and an unknown task.
    const path = join(scratch, 'countless', 'outcomes.jsonl')
    const [{ task }] = rowsOf('countless') as [EpisodeRow]
    writeFileSync(
      path,
      rowsOf('countless')
        .map((row, at) => `${JSON.stringify({ ...row, task: at === 0 ? `not ${task}` : row.task, crc: undefined })}\n`)
        .join(''),
    )
    const whole = await shaketable(args('countless', address), scratch)
    expect(whole.code, whole.stderr).toBe(0)
    expect(whole.stderr).toContain('has 11 of 12 episodes; playing the rest')
  })
  it.each([
    ['86400', 4, '(Retry-After); at most 5 min are waited. Ask again later. 2 of 12 episodes are kept'],
    ['100', 130, 'Stopped. 2 of 12 episodes are kept'],
  ])(
    'that requests a wait of %s s ends the run with exit code %d, and the same command resumes it',
    async (wait, code, said) => {
      const out = `waits-${wait}`
      let limited = true
      const headers = { 'retry-after': wait }
      const address = await serve(async (_, count) =>
        limited && count > 4 ? { status: 429, content: 'Slow down', headers } : { status: 200, content: 'look' },
      )
      const { child, ended } = start(args(out, address, '--concurrency', '1'), scratch)
      let shown = ''
      child.stderr!.on('data', (text: string) => (shown += text))
      for (let tries = 0; code === 130 && !shown.includes('asks to wait') && tries < 2000; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      const started = performance.now()
      if (code === 130) child.kill('SIGINT')
      const first = await ended
      expect(first.stderr).toContain(said)
      expect(first.code).toBe(code)
      if (code === 130) {
        expect(performance.now() - started).toBeLessThan(5000)
        expect(first.stderr).toMatch(/^127\.0\.0\.1:\d+ asks to wait \(Retry-After\): no calls for at most 2 min\.$/m)
        expect(rowsOf(out)).toHaveLength(2)
      }
      expect(rowsOf(out).filter(({ outcome }) => outcome !== 'model-error')).toHaveLength(2)
      limited = false
      expect(await shaketable(args(out, address), scratch)).toMatchObject({ code: 0 })
      expect(rowsOf(out).filter(({ outcome }) => outcome !== 'model-error')).toHaveLength(12)
    },
    60_000,
  )

  it('without a price is refused before the first request', async () => {
    let asked = 0
    const address = await serve(() => Promise.resolve({ status: 200, content: String(asked++) }))
    const prices = join(scratch, 'others.json')
    writeFileSync(prices, '{"tunes": {"prompt": 1, "completion": 2}}')
    const budget = ['--max-cost', '1', '--prices', prices]
    const { code, stderr } = await shaketable(args('priceless', address, ...budget), scratch)
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^--prices: .*others\.json has no price for the model 'tuned', but one for 'tunes'\. [^\n]*\n$/,
    )
    expect(asked).toBe(0)
  })

  it('finishes its calls at the first Ctrl-C, and is left at once at the second', async () => {
    const address = await serve((_, count) =>
      count > 30 ? new Promise(() => undefined) : Promise.resolve({ status: 200, content: 'look' }),
    )
    const running = start(args('twice', address, '--seeds', '20', '--concurrency', '1'), scratch)
    await untilLines(join(scratch, 'twice', 'outcomes.jsonl'), 15)
    running.child.kill('SIGINT')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(running.child.exitCode).toBeNull()
    running.child.kill('SIGINT')
    const { code, stderr } = await running.ended
    expect(code).toBe(130)
    expect(stderr).toContain('Press Ctrl-C again to leave at once.')
    expect(rowsOf('twice').length).toBe(15)
    closeServer()
    const again = await shaketable(['show', 'twice', '--limit', '1'], scratch)
    expect(again.stdout).toContain('15 of 120 episodes are stored.')
  })

  it('has no password of its address on disk', async () => {
    const address = await serve(() => Promise.resolve({ status: 200, content: 'look' }))
    const secret = address.replace('//', '//me:hunter22@').concat('?key=hunter33')
    const { code, stderr, stdout } = await shaketable(args('secret', secret), scratch)
    expect(code, stderr).toBe(0)
    for (const name of ['plan.json', 'outcomes.jsonl', 'trajectories.jsonl', 'prompts.jsonl']) {
      expect(readFileSync(join(scratch, 'secret', name), 'utf8')).not.toContain('hunter')
    }
    expect(stdout + stderr).not.toContain('hunter')
  })

  it('receives only its own key, and no file or message of a run repeats a key, even one that a server repeats', async () => {
    const keys = { OPENAI_API_KEY: 'default-key-0123456789', MY_KEY: 'sk-of-mine-0123456789' }
    const received: string[] = []
    const address = await serve(({ authorization }) => {
      received.push(String(authorization))
      const content = `go to ${keys.OPENAI_API_KEY} and ${keys.MY_KEY}`
      return Promise.resolve({ status: received.length % 3 === 0 ? 500 : 200, content })
    })
    const model = `{ name: tuned, baseUrl: ${address}`
    const play = (out: string, more: string) => {
      const text = `environments: [household]\ntasks: 1\nperturbations: [placebo]\nmodels: [${model}${more} }]\nseeds: 2\n`
      writeFileSync(join(scratch, `${out}.yaml`), `${text}temperatures: [1]\nstepLimit: 3\nattempts: 1`)
      const flags = `--no-probe --out ${out} --record ${out}-tape/tape.jsonl --cache ${out}-cache`
      return shaketable(['run', `${out}.yaml`, ...flags.split(' ')], scratch, keys)
    }
    const { stdout, stderr } = await play('keys', ', apiKeyEnv: MY_KEY')
    expect(stderr).toContain('Recorded')
    expect(new Set(received.splice(0))).toEqual(new Set([`Bearer ${keys.MY_KEY}`]))
    const others = await play('no-key', '')
    expect(new Set(received)).toEqual(new Set(['undefined']))
    const files = ['keys', 'keys-cache', 'keys-tape', 'no-key'].flatMap((folder) =>
      readdirSync(join(scratch, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
    )
    for (const text of [stdout, stderr, others.stderr, ...files]) expect(text).not.toMatch(/0123456789/)
    const tape = readFileSync(join(scratch, 'keys-tape', 'tape.jsonl'), 'utf8')
    expect(tape).toContain('"text":"go to … and …"')
    expect(tape).toContain('go to … and …')
    expect(readFileSync(join(scratch, 'keys', 'plan.json'), 'utf8')).toContain('MY_KEY')
  })

  it('receives no request with a key that no header can contain', async () => {
    const { code, stderr } = await shaketable(args('broken-key', 'http://127.0.0.1:1/v1'), scratch, {
      OPENAI_API_KEY: 'sk-0123\n456789',
    })
    expect([code, stderr]).toEqual([
      2,
      '--model: OPENAI_API_KEY: expected a key of printable ASCII characters on one line, got one with a line break at character 8. Set the variable to the key alone.\n',
    ])
  })

  it('is found by its name only where it is clear which server is meant', async () => {
    const nobody = await shaketable(['run', '--model', 'gpt-oss'], scratch)
    expect([nobody.code, nobody.stderr]).toEqual([
      2,
      "--model: Unknown control model 'gpt-oss'. Known: reader, parrot, random, oracle, believer, no-retry, skimmer, short-memory. For a model behind a server give --base-url, and its key in OPENAI_API_KEY.\n",
    ])
    const typo = await shaketable(['run', '--model', 'raeder'], scratch, { OPENAI_API_KEY: 'sk-test1234' })
    expect([typo.code, typo.stderr]).toEqual([
      2,
      "--model: Unknown control model 'raeder'. Did you mean 'reader'? Known: reader, parrot, random, oracle, believer, no-retry, skimmer, short-memory. For a model behind a server give --base-url https://api.openai.com/v1.\n",
    ])
    const openai = await shaketable(['run', '--dry-run', '--model', 'gpt-oss'], scratch, {
      OPENAI_API_KEY: 'sk-test1234',
    })
    expect(openai.code, openai.stderr).toBe(0)
    expect(openai.stdout).toMatch(/^models +1: gpt-oss$/m)
  })
})

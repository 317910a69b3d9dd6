import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import type { World } from '../../../src/core/environment.js'
import { messageOf } from '../../../src/core/errors.js'
import { perturb } from '../../../src/core/perturb.js'
import { rewordActions } from '../../../src/core/perturbation.js'
import { createRandom } from '../../../src/core/random.js'
import { textOf } from '../../../src/core/text.js'
import { games } from '../../../src/environments/agentgym/games.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { sharedData } from '../../shared-data.js'
import type { Exchange, FakeServer } from './fake-server.js'
import { readRecordings, startFakeServer } from './fake-server.js'
import { ownPerturbation } from '../../own-perturbation.js'

type GameName = keyof typeof games

const own = fileURLToPath(new URL('../../fixtures/agentgym', import.meta.url))
const recordings = [
  ...readRecordings(own),
  ...(sharedData === undefined ? [] : readRecordings(join(sharedData, 'agentgym'))),
]
const bundled = new Map(readRecordings(own).map(([name, exchanges]) => [name.replace('.jsonl', ''), exchanges]))

const servers: FakeServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serve(exchanges: readonly Exchange[]): Promise<FakeServer> {
  const server = await startFakeServer(exchanges)
  servers.push(server)
  return server
}

function gameOf(exchanges: readonly Exchange[]): GameName {
  const banner = JSON.parse(exchanges.find(({ path }) => path === '/')!.response) as string
  return Object.entries(games).find(([, game]) => game.banner === banner)![0] as GameName
}

const isError = ({ status, response }: Exchange): boolean => status !== 200 || response.startsWith('{"error"')

async function openGame(name: GameName) {
  const server = await serve(bundled.get(name)!)
  return { server, environment: await openEnvironment('agentgym', { url: server.url, game: name }) }
}

const turnTo = ownPerturbation('turn-to', ({ briefing }) =>
  rewordActions(Object.fromEntries(briefing.forms.map(({ template }) => [template, `now ${template}`]))),
)

describe.each(recordings)('the recorded exchanges of %s', (_, exchanges) => {
  it('are sent and received to the byte when their episodes are played', async () => {
    const name = gameOf(exchanges)
    const server = await serve(exchanges)
    const environment = await openEnvironment('agentgym', { url: server.url, game: name })
    const session = games[name].created.parse(JSON.parse(exchanges.find(({ path }) => path === '/create')!.response))
    let world: World | undefined
    let played = 0
    for (const [index, exchange] of exchanges.entries()) {
      const { method, path, body, response } = exchange
      if (typeof body === 'string' || method === 'GET') continue
      const { data_idx, game, session_id, action } = (body ?? {}) as Record<string, number | string>
      if (path === '/reset') {
        const data = data_idx ?? game ?? session_id
        if (typeof data !== 'number' || Object.values(body ?? {})[0] !== session) continue
        server.seek(index)
        const begun = await begin(environment, String(data)).catch((thrown: unknown) => thrown as Error)
        world = begun instanceof Error ? undefined : begun
        expect(begun instanceof Error).toBe(isError(exchange) || (isError(exchanges[index + 1]!) && name === 'webshop'))
        if (world === undefined) continue
        expect(firstText(name, world)).toBe(firstObservation(name, exchanges, index))
        played++
      } else if (path === '/step' && typeof action === 'string' && world !== undefined) {
        server.seek(index)
        if (isError(exchange)) {
          await expect(Promise.resolve(world.step(action))).rejects.toMatchObject({ code: 'environment' })
          continue
        }
        const turn = await world.step(action)
        const reply = JSON.parse(response) as { observation?: string; state?: string; done: boolean }
        expect(turn.original).toBe(reply.observation ?? reply.state)
        expect(textOf(turn.observation)).toBe(turn.original)
        expect(turn.ended !== false).toBe(reply.done)
        expect(server.asked.at(-1)).toBe(`POST /step ${JSON.stringify(body)}`)
        played++
      }
    }
    expect(played).toBeGreaterThan(3)
  })
})

function begin(environment: Awaited<ReturnType<typeof openEnvironment>>, id: string): Promise<World> {
  return Promise.resolve(environment.begin(environment.find(id), createRandom('0')))
}

/** The first observation of an environment, composed as its server does. */
function firstText(name: GameName, { briefing: { goal }, originalOpening }: World): string {
  switch (name) {
    case 'babyai':
      return `Your goal: ${goal}\n${originalOpening}`
    case 'sciworld':
      return `${goal}\n${originalOpening}`
    case 'textcraft':
      return `${originalOpening}\n\nGoal: ${goal}.`
    case 'alfworld':
      return originalOpening.replace('\nAVAILABLE ACTIONS: ', `\nYour task is to: ${goal}\nAVAILABLE ACTIONS: `)
    case 'webshop':
      return originalOpening
  }
}

function firstObservation(name: GameName, exchanges: readonly Exchange[], index: number): string {
  const reply = JSON.parse(exchanges[index]!.response) as Record<string, string> & { available_actions?: string[] }
  if (name === 'webshop') return JSON.parse(exchanges[index + 1]!.response) as string
  if (name === 'sciworld') return `${reply['task_description']!}\n${reply['observation']!}`
  if (name === 'alfworld') return `${reply['observation']!}\nAVAILABLE ACTIONS: ${reply.available_actions!.join(',')}`
  return reply['observation']!
}

describe('a game of AgentGym', () => {
  it.each<[GameName, task: string, said: string, refused: string, progress: number, ended: string]>([
    ['babyai', '0', 'go to red ball 1', 'dance', 0.9, 'success'],
    ['sciworld', '0', 'focus on orange', 'sing', 0.03, 'failure'],
    ['textcraft', '7', 'craft 4 stick using 2 oak planks', 'grab 1 oak log', 1, 'success'],
    ['alfworld', '2420', 'take mug 1 from countertop 1', 'eat mug 1', 1, 'success'],
    ['webshop', '3', 'click[b01]', 'buy', 0.5, 'failure'],
  ])(
    'is played under another wording too, which reaches its own texts: %s',
    async (name, task, last, unknown, progress, ended) => {
      const { server, environment } = await openGame(name)
      const clean = await begin(environment, task)
      const perturbed = perturb(environment, [{ perturbation: turnTo }])
      server.seek(0)
      const world = await perturbed.begin(environment.find(task), createRandom('0'))
      const script = bundled
        .get(name)!
        .slice(0, bundled.get(name)!.findIndex(({ body }) => (body as { action?: string } | null)?.action === last) + 1)
        .flatMap(({ body }) => (body as { action?: string } | null)?.action ?? [])
      let turn
      for (const action of script) {
        const asked = server.asked.length
        const isKnown = action !== unknown && action !== '0'
        const refusal = isKnown ? await world.step(action) : undefined
        if (refusal !== undefined) {
          expect(refusal).toMatchObject({ understood: false, command: undefined, ended: false })
          expect(server.asked.length).toBe(asked)
        }
        turn = await world.step(isKnown ? `now ${action}` : action)
        expect(server.asked.at(-1)).toContain(JSON.stringify(action))
        expect(turn.understood).toBe(action !== unknown && !/^pickup red/.test(action))
      }
      expect(turn).toMatchObject({ progress, ended })
      // Words of ordinary prose that are also actions, as in `Your task is` and `to the inventory`, are counted.
      expect(
        world.dose!()
          .leaked?.map(({ old }) => old)
          .filter((old) => /[ {]/.test(old)) ?? [],
      ).toEqual([])
      const own = await Promise.resolve(clean.step(unknown))
      server.seek(0)
      expect(textOf((await Promise.resolve(clean.refuse(unknown))).observation)).toBe(textOf(own.observation))
    },
  )

  it.each<[name: string, misbehave: NonNullable<FakeServer['misbehave']>, message: RegExp]>([
    ['dies', (response) => response.destroy(), /^POST http:\S+\/step: /],
    ['is silent', () => undefined, /: no answer within 1 s \(agentgym.deadline\)\.$/],
    ['is not JSON', (response) => response.end('<html>'), /what is not JSON: '<html>'/],
    ['floods', (response) => response.end('x'.repeat(9_000_000)), /with more than 8,388,608 bytes\.$/],
  ])('is an environment error when its server %s', async (name, misbehave, message) => {
    const { server } = await openGame('babyai')
    const environment = await openEnvironment('agentgym', {
      url: server.url,
      game: 'babyai',
      deadline: name === 'is silent' ? '1' : '60',
    })
    const world = await begin(environment, '0')
    server.misbehave = misbehave
    const thrown: unknown = await Promise.resolve(world.step('turn left')).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(thrown).toMatchObject({ code: 'environment' })
    expect(messageOf(thrown)).toMatch(message)
  })

  it.each<[options: object, message: RegExp]>([
    [{ url: 'htp://me:secret@x/?key=secret', game: 'babyai' }, /got 'htp:\/\/…@x\/\?…'\.$/],
    [
      { url: 'http://127.0.0.1:PORT', game: 'babyai' },
      /no server listens there\. Start it with 'babyai --host 127\.0\.0\.1 --port PORT'/,
    ],
  ])('explains what is wrong with %j', async (options, message) => {
    const gone = await startFakeServer([])
    await gone.close()
    const given = JSON.parse(JSON.stringify(options).replace('PORT', new URL(gone.url).port)) as Record<string, unknown>
    const said = await openEnvironment('agentgym', given).then(() => 'nothing', messageOf)
    expect(said).toMatch(message)
    expect(said).not.toContain('secret')
  })
})

import * as z from 'zod'
import type { BriefingDefinition, TurnDefinition, WorldDefinition } from '../../define/world.js'
import type { EnvironmentSetup, TaskDefinition } from '../../define/environment.js'
import { defineEnvironment } from '../../define/environment.js'
import { ShaketableError } from '../../core/errors.js'
import { literalLength } from '../../core/form.js'
import type { Text } from '../../core/text.js'
import { textOf } from '../../core/text.js'
import { deadline, deadlineMs } from '../deadline.js'
import { firstIssue, instruct } from '../prompts.js'
import { readFolded } from '../read-folded.js'
import type { Client } from './client.js'
import { createClient } from './client.js'
import type { Game } from './games.js'
import { games } from './games.js'

type GameName = keyof typeof games
const gameNames = Object.keys(games) as [GameName, ...GameName[]]

/** Games of an AgentGym server; shaketable adds only the wording. */
export const agentgym = defineEnvironment({
  name: 'agentgym',
  summary: 'AgentGym: BabyAI, ScienceWorld, TextCraft, ALFWorld or WebShop, played on a running server of theirs',
  source: 'AgentGym (Xi et al. 2024), its environment servers',
  options: {
    url: { summary: 'the address of a running AgentGym server, such as http://127.0.0.1:36001' },
    game: { choices: gameNames, summary: 'the game that it serves' },
    deadline,
  },
  async open({ url, game: name, deadline: seconds = 300 }) {
    if (url === undefined || name === undefined) {
      const missing =
        url === undefined ? '--set agentgym.url=http://127.0.0.1:36001' : `--set agentgym.game=${gameNames.join('|')}`
      throw new ShaketableError(
        'usage',
        `The environment 'agentgym' needs the address and the game of a running server; add ${missing}.`,
      )
    }
    const client = createClient(url, deadlineMs(seconds))
    await checkServer(client, name, games[name])
    return setUp(client, name, games[name])
  },
})

/** @throws ShaketableError `usage` where the server cannot be reached or has another game */
async function checkServer(client: Client, name: GameName, game: Game): Promise<void> {
  const start = `Start it with '${name} --host 127.0.0.1 --port PORT' from AgentGym's package for the game, or correct agentgym.url.`
  let banner: unknown
  try {
    banner = await client.get('/')
  } catch (thrown) {
    if (!(thrown instanceof ShaketableError)) throw thrown
    throw new ShaketableError('usage', `${thrown.message} ${start}`, { cause: thrown })
  }
  if (banner === game.banner) return
  const other = gameNames.find((one) => games[one].banner === banner)
  const got = other === undefined ? `'${String(banner).slice(0, 100)}'` : `that of '${other}'`
  throw new ShaketableError(
    'usage',
    `${client.shown}: expected the AgentGym server of '${name}', got ${got}. ${other === undefined ? start : `Give --set agentgym.game=${other}, or another agentgym.url.`}`,
  )
}

function setUp(client: Client, name: GameName, game: Game): EnvironmentSetup {
  const taskOf = ({ index, kind }: Game['tasks'][number]): TaskDefinition => ({
    id: String(index),
    goal: '',
    ...(kind !== undefined && { kind }),
    data: { game: name, index },
  })
  const tasks = game.tasks.map(taskOf)
  const knownForms = [...game.forms.map(({ template }) => template), ...(game.otherForms ?? [])]
  const { system, forms, help, sessionKey } = game
  const briefing: BriefingDefinition = { system, instruction: instruct(game.rules, forms), forms, knownForms, help }
  const free: number[] = []
  return {
    measure: game.measure,
    ...(game.sameActionsAs !== undefined && { sameActionsAs: game.sameActionsAs }),
    tasks,
    settings: { game: name },
    data: { kind: 'benchmark', from: `AgentGym's ${name} server` },
    find(id) {
      const index = /^\d{1,9}$/.test(id) ? Number(id) : NaN
      if (index < (game.end ?? Infinity)) return tasks.find((task) => task.id === String(index)) ?? taskOf({ index })
      const last = game.end === undefined ? 'up' : `to ${String(game.end - 1)}`
      throw new ShaketableError(
        'bad-input',
        `There is no task '${id.slice(0, 100)}' of AgentGym's ${name}. Tasks are its data_idx, from 0 ${last}.`,
      )
    },
    async begin({ data }): Promise<WorldDefinition> {
      const { index } = data as { readonly index: number }
      const read = <T>(what: string, reader: (reply: unknown) => T, reply: unknown): T => {
        try {
          return reader(reply)
        } catch (thrown) {
          if (!(thrown instanceof z.ZodError)) throw thrown
          throw new ShaketableError(
            'environment',
            `${client.shown}: the server answered '${what}' with what is not AgentGym's ${name}: ${firstIssue(thrown)}.`,
          )
        }
      }
      const create = async (): Promise<number> =>
        read('create', (reply) => game.created.parse(reply), await client.post('/create', game.createBody))
      const session = free.pop() ?? (await create())
      let isBroken = false
      const post = async (path: string, body: object): Promise<unknown> => {
        isBroken = true
        const reply = await client.post(path, { [sessionKey]: session, ...body })
        isBroken = false
        return reply
      }
      const close = async (): Promise<void> => {
        if (game.closes) await client.post('/close', { [sessionKey]: session }, true)
        else if (!isBroken) free.push(session)
      }
      const begin = async () => {
        const reply = await post('/reset', game.resetBody(index))
        const first = game.observe ? await client.get(`/observation?${sessionKey}=${String(session)}`) : reply
        return read('reset', (one) => game.begin(one), first)
      }
      const begun = await begin().catch(async (thrown: unknown) => {
        await close().catch(() => undefined)
        throw thrown
      })
      let { admissible } = begun
      let last: Text = begun.opening
      return {
        briefing: { ...briefing, goal: begun.goal },
        opening: begun.opening,
        names: game.names(),
        async step(given): Promise<TurnDefinition> {
          const action = game.clean(given)
          const reply = await post('/step', { action })
          const { observation, progress, ended, ...now } = read('step', (one) => game.step(one), reply)
          const understood = game.understood(game.fold(action), admissible, textOf(observation))
          admissible = now.admissible
          last = observation
          return { observation, progress, ended, understood }
        },
        refuse: (action) => ({ observation: game.refusal(game.clean(action), admissible, last), understood: false }),
        ...(admissible !== undefined && {
          admissible: () => admissible ?? [],
          understands: (action) => game.understood(game.fold(game.clean(action)), admissible, undefined),
        }),
        read: (action, templates, names) =>
          readFolded(game.clean(action), longestFirst(templates), names.length === 0 ? undefined : names, (text) =>
            game.fold(text),
          ),
        close,
      }
    },
  }
}

/** Templates with those first that have more words. */
function longestFirst(templates: readonly string[]): readonly string[] {
  return [...templates].sort((a, b) => literalLength(b) - literalLength(a))
}

import type { WorldDefinition } from '../../define/world.js'
import { defineEnvironment } from '../../define/environment.js'
import type { EnvironmentSetup, TaskDefinition } from '../../define/environment.js'
import { ShaketableError } from '../../core/errors.js'
import { deadline, deadlineMs } from '../deadline.js'
import { instruct } from '../prompts.js'
import { Child } from './child.js'
import type { Answer } from './protocol.js'
import { protocolName } from './protocol.js'
import { splitCommand } from './split-command.js'

/** An environment that is a program of the user's. */
export const processEnvironment = defineEnvironment({
  name: 'process',
  summary: `an environment of your own in any language: a program that speaks ${protocolName} over standard input and output`,
  source: 'yours',
  options: {
    command: {
      type: 'words',
      summary: 'what starts the environment, such as python3 my_env.py; in an experiment file also as a list of words',
    },
    deadline,
  },
  async open({ command, deadline: seconds = 60 }) {
    if (command === undefined) {
      throw new ShaketableError(
        'usage',
        "The environment 'process' needs the command that starts it; add --set process.command='python3 my_env.py'.",
      )
    }
    const argv = typeof command === 'string' ? splitCommand(command) : (command as readonly [string, ...string[]])
    const child = new Child({ argv, deadlineMs: deadlineMs(seconds) })
    try {
      const { answer } = await child.ask({ op: 'tasks', protocol: protocolName })
      return setUp(child, answer)
    } catch (thrown) {
      await child.close()
      throw thrown
    }
  },
})

function setUp(child: Child, { name, version, measure, can = [], tasks }: Answer<'tasks'>): EnvironmentSetup {
  let sessions = 0
  return {
    ...(measure !== undefined && { measure }),
    tasks: tasks.map(({ goal = '', kind, difficulty, ...task }): TaskDefinition => ({
      ...task,
      goal,
      ...(kind !== undefined && { kind }),
      ...(difficulty && { difficulty }),
    })),
    settings: { protocol: protocolName, name, version },
    data: { kind: 'files', from: name },
    async begin({ id, goal }, random): Promise<WorldDefinition> {
      const session = `s${String(sessions++)}`
      const seed = random.fork('environment').int(2 ** 32)
      const { answer: begun, of } = await child.ask({ op: 'begin', session, task: id, seed })
      const { system, instruction, forms = [], names = [], help = [] } = begun
      let { refusal } = begun
      return {
        briefing: {
          ...(system !== undefined && { system }),
          ...(instruction !== undefined && { instruction: instruct(instruction, forms) }),
          forms,
          goal: begun.goal ?? goal,
          help,
        },
        opening: begun.observation,
        names,
        async step(action) {
          const { answer } = await child.ask({ op: 'step', session, action }, of)
          refusal = answer.refusal ?? refusal
          const { observation, progress, ended = false, understood } = answer
          return {
            observation,
            ended,
            ...(progress !== undefined && { progress }),
            ...(understood !== undefined && { understood }),
          }
        },
        ...(refusal !== undefined && { refuse: () => ({ observation: refusal! }) }),
        ...(can.includes('admissible') && {
          admissible: async () => (await child.ask({ op: 'admissible', session }, of)).answer.actions,
        }),
        ...(can.includes('solve') && {
          solve: async () => (await child.ask({ op: 'solve', session }, of)).answer.actions ?? undefined,
        }),
        async close() {
          await child.ask({ op: 'close', session }, of)
        },
      }
    },
  }
}

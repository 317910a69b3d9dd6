import type { WorldDefinition } from '../../define/world.js'
import { type EnvironmentSetup, type TaskDefinition, defineEnvironment } from '../../define/environment.js'
import { hashOf } from '../../core/episode.js'
import { ShaketableError } from '../../core/errors.js'
import { deadline, deadlineMs } from '../deadline.js'
import { instruct } from '../prompts.js'
import { Child } from './child.js'
import { type Answer, protocolName } from './protocol.js'

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

function setUp(child: Child, answer: Answer<'tasks'>): EnvironmentSetup {
  const { name, version, measure, vocabulary, can = [], tasks } = answer
  let sessions = 0
  return {
    ...(measure !== undefined && { measure }),
    tasks: tasks.map(({ goal = '', kind, difficulty, ...task }): TaskDefinition => ({
      ...task,
      goal,
      ...(kind !== undefined && { kind }),
      ...(difficulty && { difficulty }),
    })),
    ...(vocabulary && { vocabulary }),
    // Other words are other episodes, so that they are part of every key.
    settings: { protocol: protocolName, name, version, ...(vocabulary && { vocabulary: hashOf(vocabulary, 12) }) },
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

/** A word of a command line: pieces in single quotes, in double quotes, and outside of quotes. */
const wordPattern = /(?:'[^']*'|"(?:\\.|[^"\\`$])*"|\\.|[^\s'"\\|&;<>()`$])+/gsy

/**
 * Splits a command line into its words by the quoting rules of a POSIX shell: single quotes, double quotes,
 * backslashes. No shell runs it, so nothing is expanded, and shell operators are rejected.
 * @throws ShaketableError `usage` for an open quote, a shell operator, or no words
 */
export function splitCommand(line: string, option = 'process.command'): readonly [string, ...string[]] {
  const words: string[] = []
  let at = line.search(/\S|$/)
  while (at < line.length) {
    wordPattern.lastIndex = at
    const word = wordPattern.exec(line)?.[0]
    if (word === undefined) {
      throw new ShaketableError(
        'usage',
        `${option}: expected a program and its arguments, got '${line.slice(at, at + 20)}' in '${line.slice(0, 200)}', an open quote or what only a shell understands. No shell runs it: quote what belongs together, give a list of words in an experiment file, or write sh -c '…'.`,
      )
    }
    words.push(
      word.replace(
        /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs,
        (_, single?: string, double?: string, one?: string) => single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? one!,
      ),
    )
    at += word.length
    while (line[at] === ' ' || line[at] === '\t') at++
  }
  const [program = '', ...rest] = words
  if (program !== '') return [program, ...rest]
  throw new ShaketableError('usage', `${option}: expected a program and its arguments, got nothing. Name the program.`)
}

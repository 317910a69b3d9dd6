import * as z from 'zod'
import { spawnSync } from 'node:child_process'
import { basename, join } from 'node:path'
import { type EnvironmentSetup, type TaskDefinition, defineEnvironment } from '../../define/environment.js'
import type { Briefing, Example } from '../../core/environment.js'
import { hashOf } from '../../core/episode.js'
import { ShaketableError, suggest } from '../../core/errors.js'
import { type Prompt, type PromptFile, readPromptFile, scienceworldPrompt } from '../agentboard-prompt.js'
import { deadline, deadlineMs } from '../deadline.js'
import { keepRecent } from '../keep-recent.js'
import { type EngineOptions, Engine, Engines } from './engine.js'
import { advertisedOf, allForms, allTemplates, checkValidActions, formsOf, readAction } from './forms.js'
import { type Jar, jarAdvice, readJar } from './jar.js'
import { type Label, readLabels } from './labels.js'
import { type Split, type Variation, chooseVariations, isElectrical, names, taskTypes } from './tasks.js'
import { type Rules, createWorld, findSolution, Game } from './world.js'
import { packagedData } from '../../files/packaged.js'
import { instruct } from '../prompts.js'

/** AgentBoard's simplifications for every task. */
const simplifications = 'selfWateringFlowerPots,openContainers,openDoors,noElectricalAction'

/** ScienceWorld's own engine in a Java process, by AgentBoard's protocol. */
export const scienceworld = defineEnvironment({
  name: 'scienceworld',
  version: '2',
  summary:
    "ScienceWorld: experiments of primary school in a house of ten rooms, played in the user's copy of its engine",
  source: 'ScienceWorld (Wang et al. 2022), as AgentBoard plays it',
  options: {
    jar: { path: true, summary: "ScienceWorld's engine, scienceworld.jar. Default: $SCIENCEWORLD_JAR" },
    java: { path: true, summary: 'the program java. Default: that of $JAVA_HOME, or the first in PATH' },
    labels: {
      path: true,
      summary:
        "AgentBoard's data/scienceworld/test.jsonl: its tasks, goals and sub-goals. Default: 90 tasks of our own",
    },
    split: { choices: ['test', 'dev', 'train'], summary: 'Which variations of our own tasks. Default: test' },
    prompt: { path: true, summary: "AgentBoard's prompt file scienceworld_base.json. Default: our own words" },
    progress: {
      choices: ['score', 'subgoals'],
      summary: "the engine's score, or the share of sub-goals. Default: subgoals with labels, score without",
    },
    grounding: {
      choices: ['engine', 'agentboard'],
      summary:
        'an action is understood if the engine takes it, or if it is in its list after the step, as AgentBoard counts. Default: agentboard with labels, engine without',
    },
    deadline,
  },
  plainText: {
    get forms() {
      return [allForms()]
    },
    names,
    read: readAction,
  },
  open({ jar: path, java, labels, split, prompt, progress, grounding, deadline: seconds = 60 }) {
    const jar = readJar(jarPath(path))
    if (labels !== undefined && split !== undefined) {
      throw new ShaketableError(
        'usage',
        'scienceworld.split chooses among our own tasks, but scienceworld.labels brings its own. Leave one out.',
      )
    }
    const home = process.env['JAVA_HOME']
    const program = java ?? (home ? join(home, 'bin', 'java') : 'java')
    const options = { jar: jar.path, java: program, deadlineMs: deadlineMs(seconds) }
    javaVersion(options)
    return setUp(options, {
      jar,
      split: split ?? 'test',
      ...(labels !== undefined && { labels: readLabels(labels) }),
      ...(prompt !== undefined && { prompt: readPromptFile(scienceworldPrompt, prompt), promptFile: basename(prompt) }),
      progress: progress ?? (labels === undefined ? 'score' : 'subgoals'),
      grounding: grounding ?? (labels === undefined ? 'engine' : 'agentboard'),
    })
  },
})

/** @throws ShaketableError `usage` without a JAR */
function jarPath(given: string | undefined): string {
  const path = given ?? process.env['SCIENCEWORLD_JAR'] ?? ''
  if (path !== '') return path
  throw new ShaketableError('usage', `The environment 'scienceworld' needs ScienceWorld's engine. ${jarAdvice}`)
}

/** What a Java calls itself. @throws ShaketableError `usage` where there is no such program */
function javaVersion({ java, deadlineMs }: EngineOptions): string {
  const { stderr, error } = spawnSync(java, ['-version'], { encoding: 'utf8', timeout: deadlineMs })
  if (error === undefined) return /version "([^"\n]{1,40})"/.exec(stderr)?.[1] ?? 'of an unknown version'
  throw new ShaketableError(
    'usage',
    `The environment 'scienceworld' needs Java 8 or later, and '${java.slice(0, 200)}' cannot be started (${error.message}). Install a JRE, such as Debian's default-jre-headless, or give --set scienceworld.java=FILE.`,
    { cause: error },
  )
}

interface Settings {
  readonly jar: Jar
  readonly split: Split
  readonly labels?: readonly Label[]
  readonly prompt?: PromptFile
  readonly promptFile?: string
  readonly progress: 'score' | 'subgoals'
  readonly grounding: 'engine' | 'agentboard'
}

function setUp(options: EngineOptions, settings: Settings): EnvironmentSetup {
  const engines = new Engines(options)
  const { jar, split, labels, prompt, promptFile, progress, grounding } = settings
  const taskOf = (task: Variation): TaskDefinition => ({
    id: `${task.type}/${String(task.variation)}`,
    goal: '',
    kind: task.type,
    data: { type: task.type, variation: task.variation },
  })
  const labelled = (label: Label): TaskDefinition => ({
    id: label.id,
    goal: label.goal,
    kind: label.type,
    difficulty: label.difficulty,
    data: { type: label.type, variation: label.variation, subGoals: label.subGoals },
  })
  const tasks = labels?.map(labelled) ?? chooseVariations(split).map(taskOf)
  const briefings = new Map<string, Omit<Briefing, 'goal'>>()
  const solutions = keepRecent<Promise<readonly string[] | undefined>>(256)
  return {
    measure: describeMeasure(settings),
    tasks,
    settings: {
      engine: jar.version,
      build: jar.hash,
      tasks: labels === undefined ? 'own' : hashOf(labels, 16),
      prompt: prompt?.hash ?? 'own',
      progress,
      grounding,
      limits: 'run',
      simplifications,
    },
    data: {
      kind: 'benchmark',
      from: labels === undefined ? 'ScienceWorld' : 'AgentBoard',
      split: labels === undefined ? split : 'test',
      ...(promptFile !== undefined && { promptFile }),
    },
    notes: prompt?.notes ?? [],
    diagnose: () => diagnose(options, jar),
    find(id) {
      const definition = tasks.find((task) => task.id === id)
      if (definition !== undefined) return definition
      const [, type, number] = /^([\w-]{1,100})\/(\d{1,6})$/.exec(id) ?? []
      const known = taskTypes().find(({ name }) => name === type)
      if (labels === undefined && known !== undefined && Number(number) < known.variations) {
        return taskOf({ type: known.name, variation: Number(number) })
      }
      const ids = tasks.map((task) => task.id)
      const hint = known
        ? ` '${known.name}' has the variations 0 to ${String(known.variations - 1)}.`
        : suggest(id, ids)
      throw new ShaketableError(
        'bad-input',
        `There is no ScienceWorld task '${id.slice(0, 200)}'.${hint} --list shows them.`,
      )
    },
    async begin(task) {
      const { type, variation, subGoals } = task.data as Variation & { readonly subGoals?: readonly string[] }
      const electrical = isElectrical(type)
      const patterns = subGoals ?? taskTypes().find(({ name }) => name === type)?.subGoals ?? []
      const rules: Rules = {
        simplifications: electrical ? simplifications.replace(',noElectricalAction', '') : simplifications,
        subGoals: progress === 'score' ? [] : patterns,
        endsBySubGoals: progress === 'subgoals' && labels !== undefined,
        listedAfter: grounding === 'agentboard',
      }
      const briefing = briefings.get(type) ?? createBriefing(type, prompt?.prompts.all)
      briefings.set(type, briefing)
      const game = new Game(engines, { type, variation }, rules)
      try {
        const { description, opening } = await game.begin()
        return createWorld({
          game,
          opening,
          briefing: { ...briefing, goal: task.goal || description },
          rules,
          solve: () => solutions(task.id, () => findSolution(engines, { type, variation }, rules)),
          otherExamples: () => otherExamples(type, prompt),
        })
      } catch (thrown) {
        await game.close()
        throw thrown
      }
    },
  }
}

/**
 * The versions of Java and of the engine, which is started; and whether it has the tasks of the version that we know.
 */
async function diagnose(options: EngineOptions, { path, version, hash }: Jar): Promise<readonly string[]> {
  const engine = await Engine.start(options)
  try {
    const others: string[] = []
    for (const { name, variations } of taskTypes()) {
      if ((await engine.variations(name)) !== variations) others.push(name)
    }
    return [
      `Java ${javaVersion(options)}: ${options.java}.`,
      `ScienceWorld's engine ${version}, build ${hash}: ${path}. It starts and answers.`,
      others.length === 0
        ? 'It has the variations of engine 1.3.0 for all 30 types of task.'
        : `It has other variations than engine 1.3.0 of ${others.join(', ')}. Results are not comparable between them.`,
    ]
  } finally {
    await engine.close()
  }
}

/** Describes what counts, and by whose rules. */
function describeMeasure({ jar, labels, progress, grounding }: Settings): string {
  const engine = `ScienceWorld's engine ${jar.version}`
  const counts =
    progress === 'score'
      ? `progress is the score of ${engine}, success a score of 1`
      : labels === undefined
        ? `progress by shaketable's own sub-goals, success a score of 1 of ${engine}`
        : `progress and success by the sub-goals of AgentBoard's label file, in ${engine}`
  const whose = labels === undefined ? "shaketable's own choice of variations, not AgentBoard's 90 tasks" : undefined
  const isPublished = labels !== undefined && progress === 'subgoals' && grounding === 'agentboard'
  return [counts, whose, isPublished ? 'comparable with published rows' : 'not comparable with published rows']
    .filter((part) => part !== undefined)
    .join('; ')
}

/**
 * The part of a briefing that depends on the type of the task alone: our own words, or those of AgentBoard's prompt
 * file.
 */
function createBriefing(type: string, prompt: Prompt | undefined): Omit<Briefing, 'goal'> {
  return {
    system: prompt?.system ?? 'You do experiments in a house with a workshop and a greenhouse, by short lines of text.',
    instruction: prompt?.instruction ?? instruct(rules, advertisedOf(isElectrical(type))),
    forms: formsOf(isElectrical(type)),
    knownForms: [...allTemplates(), 'use {obj} [on {other}]', 'wait [DURATION]'],
    examples: prompt?.examples ?? examplesFor(type).slice(0, 1),
    help: [checkValidActions, 'inventory'],
  }
}

const rules = `There is one task. You see only the room in which you are; other rooms are behind doors, and many things are inside others, so search \
wherever you come. Time passes with your actions: things warm up, cool down and grow. Reply with one action a time. Name an object ('{obj}', '{other}') or a \
room ('{place}') as you have read it; add where it is if there are several, as in apple in bowl. If you are asked for a number, reply with that number alone.`

/** Worked examples that are not in the prompt, of tasks of other types than this. */
function otherExamples(type: string, prompt: object | undefined): readonly Example[] {
  return prompt === undefined ? examplesFor(type).slice(1) : examplesFor(type)
}

const ownExamples = packagedData(
  'src/environments/scienceworld/examples.yaml',
  z.strictObject({
    /** The first observation of each. */
    hall: z.string(),
    examples: z.array(
      z.strictObject({
        type: z.string(),
        goal: z.string(),
        exchanges: z.array(z.strictObject({ action: z.string(), observation: z.string().transform((text) => [text]) })),
      }),
    ),
  }),
)

/** Our worked examples of tasks of other types, the first of which is in the prompt. */
function examplesFor(type: string): readonly Example[] {
  const { hall, examples } = ownExamples()
  return examples
    .filter((example) => example.type !== type)
    .map(({ goal, exchanges }) => ({ opening: [`${goal}\n${hall}`], exchanges, names: names() }))
}

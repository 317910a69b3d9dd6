import * as z from 'zod'
import { basename } from 'node:path'
import { type EnvironmentSetup, type OptionValues, defineEnvironment } from '../../define/environment.js'
import type { Briefing, Example, Task, TaskSource } from '../../core/environment.js'
import { hashOf } from '../../core/episode.js'
import { ShaketableError } from '../../core/errors.js'
import { keepRecent } from '../keep-recent.js'
import { shortenAction } from './agentboard-rules.js'
import { beginStory, createEpisode } from './episode.js'
import { type PromptFile, jerichoPrompt, readPromptFile } from '../agentboard-prompt.js'
import { readLabels, readTexts } from './agentboard-files.js'
import { type StoryFile, type StorySource, embeddedSource, folderSource } from './sources.js'
import { openStory } from './story.js'
import type { StoryTask } from './tasks.js'
import { createActionFinder } from './valid-actions.js'
import type { ActionForm } from '../../core/form.js'
import { packagedData } from '../../files/packaged.js'
import { instruct } from '../prompts.js'
import { advertisedForms, allForms, checkAction } from './forms.js'

/** The description of Jericho in lists and reports. */
const jerichoCard = {
  name: 'jericho',
  summary: 'Jericho: text adventures, played by their own story files; a small one of our own is embedded',
  source: 'Jericho (Hausknecht et al. 2020), as AgentBoard plays it',
  version: '2',
} as const

interface JerichoOptions {
  readonly source: StorySource
  readonly grounding: 'engine' | 'agentboard'
  readonly prompt?: PromptFile
  readonly data: TaskSource
}

/** Stories, and tasks, that are kept ready to be played. */
const maxKept = 64

/** A task with the story that it is of. */
interface Placed {
  readonly file: StoryFile
  readonly task: StoryTask
}

/** Story files by AgentBoard's rules. A world ends when all sub-goals were reached, or its story is over. */
function createJericho({ source, grounding, prompt, data }: JerichoOptions) {
  const placed = source.files.flatMap((file): Placed[] => file.tasks.map((task) => ({ file, task })))
  const open = ({ bytes, seed }: StoryFile) => {
    const story = openStory(bytes, seed)
    return { story, findActions: createActionFinder(story), briefing: createBriefing(story.reader.forms, prompt) }
  }
  const keepOpened = keepRecent<ReturnType<typeof open>>(maxKept)
  const opened = (file: StoryFile) => keepOpened(file.name, () => open(file))
  const isRead = (file: StoryFile): boolean => {
    try {
      return opened(file).story.grammar.verbs.some(({ lines }) => lines.length > 0)
    } catch {
      // A story that cannot be opened says so where it begins.
      return true
    }
  }
  const isWordOfAny = (text: string): boolean =>
    source.files.some((file) => isRead(file) && opened(file).story.dictionary.isWord(text))
  const keepStart = keepRecent<ReturnType<typeof beginStory>>(maxKept)
  const describe = ({ file, task }: Placed): Task => ({
    id: task.id,
    goal: task.goal,
    kind: file.name,
    ...(task.difficulty && { difficulty: task.difficulty }),
    hash: hashOf([Buffer.from(file.bytes).toString('base64'), file.seed, { ...task, script: undefined }], 16),
  })
  return {
    measure: describeMeasure(source),
    tasks: () => placed.map(describe),
    settings: { rules: 'agentboard', grounding, prompt: prompt === undefined ? 'own' : prompt.hash },
    data,
    notes: [...source.notes, ...noteUnread(source.files.filter((file) => !isRead(file)))],
    normalise: (action: string) => shortenAction(action, isWordOfAny),
    begin({ id }: Task) {
      const entry = placed.find(({ task }) => task.id === id)!
      const parts = opened(entry.file)
      const start = keepStart(id, () => beginStory(parts.story, entry.task))
      const world = createEpisode({ ...parts, task: entry.task, start, grounding })
      return { ...world, otherExamples }
    },
  } satisfies EnvironmentSetup
}

/** Tells that actions of some stories cannot be reworded. */
function noteUnread(files: readonly StoryFile[]): readonly string[] {
  if (files.length === 0) return []
  const names = files.map(({ name }) => name).join(', ')
  return [
    `The grammar of ${names} cannot be read: perturbations do not reach its action forms, and lists have directions alone. Leave these tasks out of comparisons of reworded actions.`,
  ]
}

/** Describes whose sub-goals count. AgentBoard's rows are over its 20 games, with its texts and its slip. */
function describeMeasure({ isAgentBoards, isWhole = false, files }: StorySource): string {
  if (!isAgentBoards) return "progress is the share of shaketable's own sub-goals seen, success all of them"
  const games = isWhole ? 'all its 20 games' : `${String(files.length)} of its 20 games`
  return `progress is the share of AgentBoard's sub-goals seen, success all of them, in ${games}; ${isWhole ? 'comparable' : 'not comparable'} with published rows`
}

const options = {
  games: { path: true, summary: 'A folder with your story files. Default: a small story of our own' },
  labels: { path: true, summary: "With games: AgentBoard's label file data/jericho/test.jsonl, for the sub-goals" },
  agentboard: {
    path: true,
    summary: "With games: AgentBoard's folder or its jericho_env.py, for its goals and first observations",
  },
  grounding: {
    choices: ['engine', 'agentboard'],
    summary:
      'An action is understood if the story has its words, or as AgentBoard counts, which is nearly always. Default: agentboard with labels, engine without',
  },
  prompt: { path: true, summary: "AgentBoard's prompt file jericho_vanilla_prompt.json. Default: our own words" },
} as const

/** Options of Jericho, all optional. */
type JerichoSettings = OptionValues<typeof options>

/** Text adventures, as story files for the Z-machine. */
export const jericho = defineEnvironment({
  ...jerichoCard,
  options,
  open(settings) {
    const { prompt } = settings
    const source = openSource(settings)
    const { grounding = source.isAgentBoards ? 'agentboard' : 'engine' } = settings
    return createJericho({
      source,
      grounding,
      data: {
        ...(source.isAgentBoards
          ? { kind: 'benchmark', from: 'AgentBoard' }
          : { kind: settings.games === undefined ? 'generated' : 'files' }),
        ...(prompt !== undefined && { promptFile: basename(prompt) }),
      },
      ...(prompt !== undefined && { prompt: readPromptFile(jerichoPrompt, prompt) }),
    })
  },
})

function openSource({ games, labels, agentboard }: JerichoSettings): StorySource {
  if (games === undefined) {
    for (const [name, value] of Object.entries({ labels, agentboard })) {
      if (value === undefined) continue
      throw new ShaketableError(
        'usage',
        `'${name}' belongs to AgentBoard's games: give the folder with their story files as 'games' too.`,
      )
    }
    return embeddedSource()
  }
  return folderSource({
    folder: games,
    ...(labels !== undefined && { labels: readLabels(labels) }),
    ...(agentboard !== undefined && { texts: readTexts(agentboard) }),
  })
}

/** The briefing of a story: our own instruction and worked example, or those of AgentBoard's prompt file. */
function createBriefing(forms: readonly ActionForm[], prompt: PromptFile | undefined): Omit<Briefing, 'goal'> {
  if (prompt !== undefined) {
    const { system, instruction, examples, forms: advertised } = prompt.prompts.all
    return {
      system,
      instruction,
      forms: [...forms, ...advertised],
      knownForms: knownForms(),
      examples,
      help: [checkAction, 'inventory'],
    }
  }
  return {
    system: 'You play text adventures by short lines of text.',
    instruction: instruct(
      rules,
      forms.filter(({ template }) => advertisedForms().some((form) => form.template === template)),
    ),
    forms,
    knownForms: knownForms(),
    examples: ownExamples().slice(0, 1),
    help: [checkAction],
  }
}

/** Worked examples of other adventures. */
const otherExamples = (): readonly Example[] => ownExamples().slice(1)

/** The forms of all stories; AgentBoard's prompt file writes some with a capital letter. */
const knownForms = (): readonly string[] =>
  [...allForms(), { template: 'put down {obj}' }].flatMap(({ template }) => [
    template,
    `${template[0]!.toUpperCase()}${template.slice(1)}`,
  ])

const rules = `You are the hero of a text adventure. You read where you are and what you see there, and after each action what came of it. \
Reply with one action, a verb and what it is about. Name a thing ('{obj}') as you have read it. Things may be inside of others, and a dark place needs a light.`

/** Worked examples: scenes of our own, of no story that is played. */
const ownExamples = packagedData(
  'src/environments/jericho/examples.yaml',
  z.array(
    z.strictObject({
      opening: z.string().transform((text) => [text]),
      exchanges: z.array(
        z.strictObject({
          action: z.string(),
          observation: z.union([
            z.string().transform((text) => [text]),
            z.array(z.union([z.string(), z.strictObject({ list: z.array(z.string()) })])),
          ]),
        }),
      ),
      names: z.array(z.string()),
    }),
  ),
)

import { basename } from 'node:path'
import type { WorldDefinition } from '../../define/world.js'
import { type EnvironmentSetup, type TaskDefinition, defineEnvironment } from '../../define/environment.js'
import type { Task } from '../../core/environment.js'
import { ShaketableError, suggest } from '../../core/errors.js'
import { deadline, deadlineMs } from '../deadline.js'
import { pythonShuffle } from '../mersenne-twister.js'
import { createBriefing, otherExamples, readPromptFile } from './briefing.js'
import { type Question, type QuestionFile, readCorpus, readQuestions } from './files.js'
import { searchWiki, wikiAddress } from './media-wiki.js'
import { type OwnQuestion, ownPages, ownQuestions } from './own.js'
import { type Search, indexPages } from './page-index.js'
import { createWorld, forms, readAction } from './world.js'

/** ReAct's number of thoughts and actions. */
const defaultSteps = 7
/** The number of questions that AgentRefine samples. Its seed is not published; this one is of ReAct's own sample. */
const defaultSample = 300
const reactSeed = 233
/** The value of `pages` in an episode's key for those of our own. */
const ownCorpus = 'own'

/** HotpotQA's questions with ReAct's tools over a wiki or a corpus. */
export const hotpotqa = defineEnvironment({
  name: 'hotpotqa',
  summary: 'HotpotQA: questions that need several pages, answered with search and lookup in an encyclopedia',
  source: 'HotpotQA (Yang et al. 2018) with the tools of ReAct (Yao et al. 2023)',
  version: '2',
  options: {
    questions: {
      path: true,
      summary: "HotpotQA's file, distractor or fullwiki, or ReAct's simplified rows. Default: 60 questions of our own",
    },
    sample: { type: 'number', summary: 'questions drawn from the file; 0 takes all in its order. Default: 300' },
    sampleSeed: { type: 'number', summary: "seed of the sample, drawn as CPython shuffles. Default: 233, ReAct's" },
    maxSteps: { type: 'number', summary: 'steps an episode, where the run allows as many. Default: 7' },
    corpus: {
      path: true,
      summary: 'pages to search: JSON lines, or a HotpotQA file. Default: those of the questions',
    },
    wiki: { summary: 'a MediaWiki site to search in place of a corpus, such as https://en.wikipedia.org' },
    deadline,
    prompt: { path: true, summary: "ReAct's prompts_naive.json, for its worked examples. Default: our own" },
  },
  plainText: { forms: [forms], names: () => [], read: readAction },
  open({ questions: path, sample, sampleSeed, maxSteps = defaultSteps, prompt: promptPath, ...where }) {
    checkWhole('maxSteps', maxSteps, 1)
    if (path === undefined && (sample ?? sampleSeed) !== undefined) {
      throw new ShaketableError(
        'usage',
        'hotpotqa.sample and hotpotqa.sampleSeed draw from a question file; add --set hotpotqa.questions=FILE.',
      )
    }
    const file = path === undefined ? undefined : readQuestions(path)
    const chosen = file && chooseSample(file.questions, sample ?? defaultSample, sampleSeed ?? reactSeed)
    const { search, pages, shown } = openSearch(where, file)
    const prompt = promptPath === undefined ? undefined : readPromptFile(promptPath)
    const tasks = (chosen?.questions ?? ownQuestions()).map(taskOf)
    const all = new Map((file === undefined ? tasks : file.questions.map(taskOf)).map((task) => [task.id, task]))
    const briefing = createBriefing(prompt)
    const begin = ({ goal, data }: Task): WorldDefinition => {
      const { answer, evidence } = data as QuestionData
      const script = [...evidence.slice(0, maxSteps - 1), `finish[${answer}]`]
      const world = createWorld({ question: goal, answer, search, briefing, maxSteps, script })
      return { ...world, otherExamples }
    }
    return {
      tasks,
      measure: `progress is F1, success an exact match, both by SQuAD's normalisation; ${String(maxSteps)} steps; pages: ${shown}`,
      settings: { pages, maxSteps, prompt: prompt?.hash ?? 'own' },
      data: {
        ...(chosen === undefined ? { kind: 'generated' } : { kind: 'benchmark', from: 'HotpotQA', split: chosen.name }),
        ...(promptPath !== undefined && { promptFile: basename(promptPath) }),
      },
      find(id) {
        const task = all.get(id)
        if (task !== undefined) return task
        throw new ShaketableError(
          'bad-input',
          `There is no question '${id.slice(0, 100)}' of HotpotQA with these options.${suggest(id, [...all.keys()])} --list shows them.`,
        )
      },
      begin,
    } satisfies EnvironmentSetup
  },
})

/** What an episode needs beside its question. */
interface QuestionData {
  readonly answer: string
  /** Actions that show the facts. */
  readonly evidence: readonly string[]
}

function taskOf(entry: Question | OwnQuestion, index: number): TaskDefinition {
  const { question, answer, type, level } = entry as Question
  const evidence = 'evidence' in entry ? entry.evidence : entry.titles.map((title) => `search[${title}]`)
  const data: QuestionData = { answer, evidence }
  return {
    id: 'id' in entry ? entry.id : String(index + 1),
    goal: question,
    ...(type !== undefined && { kind: type }),
    ...((level === 'easy' || level === 'hard') && { difficulty: level }),
    data,
  }
}

/** The first questions of a shuffle, as ReAct samples them; all of them in order where the count is 0. */
function chooseSample(questions: readonly Question[], count: number, seed: number) {
  checkWhole('sample', count, 0)
  checkWhole('sampleSeed', seed, 0)
  if (count === 0) return { questions, name: 'all questions' }
  const chosen = pythonShuffle(questions, seed).slice(0, count)
  const name = `${String(chosen.length)} of ${String(questions.length)} by seed ${String(seed)}`
  return { questions: chosen, name }
}

interface Where {
  readonly corpus?: string
  readonly wiki?: string
  readonly deadline?: number
}

/** Where pages come from: the search, its value in an episode's key, and its name in captions. */
function openSearch(
  { corpus, wiki, deadline: seconds = 30 }: Where,
  file: QuestionFile | undefined,
): { readonly search: Search; readonly pages: string; readonly shown: string } {
  if (wiki !== undefined && corpus !== undefined) {
    throw new ShaketableError(
      'usage',
      'Pages come from hotpotqa.wiki or from hotpotqa.corpus, not from both. Leave one out.',
    )
  }
  if (wiki !== undefined) {
    const site = wikiAddress(wiki)
    return { search: searchWiki({ address: wiki, deadlineMs: deadlineMs(seconds) }), pages: site, shown: site }
  }
  if (corpus !== undefined) {
    const read = readCorpus(corpus)
    return { search: indexPages(read.pages), pages: read.hash, shown: `${String(read.pages.length)} of a corpus` }
  }
  if (file === undefined)
    return { search: indexPages(ownPages()), pages: ownCorpus, shown: `${String(ownPages().length)} of our own` }
  const { pages, hash } = file
  if (pages.length > 0)
    return { search: indexPages(pages), pages: hash, shown: `${String(pages.length)} of the question file` }
  throw new ShaketableError(
    'usage',
    "The question file has no paragraphs. Add --set hotpotqa.wiki=https://en.wikipedia.org, or --set hotpotqa.corpus=PATH with HotpotQA's distractor file or JSON lines.",
  )
}

function checkWhole(flag: string, value: number, low: number): void {
  if (Number.isSafeInteger(value) && value >= low) return
  throw new ShaketableError(
    'usage',
    `hotpotqa.${flag}: expected a whole number from ${String(low)}, got ${String(value)}.`,
  )
}

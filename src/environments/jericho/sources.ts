import { readdirSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { readRegular } from '../../files/read-text.js'
import type { Label, Texts } from './agentboard-files.js'
import { Machine } from './machine/machine.js'
import { type StoryTask, knownGames, readHeronLight } from './tasks.js'

/** A story file with its tasks. */
export interface StoryFile {
  /** The kind of its tasks. */
  readonly name: string
  readonly bytes: Uint8Array
  /** The seed of its random numbers. */
  readonly seed: number
  readonly tasks: readonly StoryTask[]
}

/** Stories in the order of play. */
export interface StorySource {
  readonly files: readonly StoryFile[]
  /** Whether the tasks are AgentBoard's. */
  readonly isAgentBoards: boolean
  /** Whether all games and texts of AgentBoard's are there. */
  readonly isWhole?: boolean
  /** What was left out, in sentences. */
  readonly notes: readonly string[]
}

/** The embedded story. */
export function embeddedSource(): StorySource {
  const files = [{ name: 'heron-light', bytes: readHeronLight(), seed: 0, tasks: knownGames().heronLight }]
  return { files, isAgentBoards: false, notes: [] }
}

const missing = 'Not written yet.'

/** The user's files for Jericho. */
interface FolderOptions {
  readonly folder: string
  readonly labels?: readonly Label[]
  readonly texts?: Texts
}

interface FoundFile {
  readonly file: string
  readonly bytes: Uint8Array
  /** Release and serial number: `88.840726`. */
  readonly edition: string
}

const extensions = new Set(['.z3', '.z4', '.z5', '.z8'])
const maxBytes = 1 << 20
const advice = 'Give a folder with story files such as zork1.z3 (docs/benchmarks.md says which are known).'

/**
 * The user's story files: with labels AgentBoard's games, without them the Zork trilogy in the releases under the MIT
 * licence, with goals of our own. Files are recognised by release and serial number; those of AgentBoard's games for
 * which these are not known, by the names that they have in its collection.
 * @throws ShaketableError `bad-input` where there is nothing to play
 */
export function folderSource({ folder, labels, texts }: FolderOptions): StorySource {
  const corpus = readFolder(folder)
  const notes: string[] = []
  const used = new Set<FoundFile>()
  const files: StoryFile[] = []
  const take = (file: FoundFile, name: string, seed: number, tasks: readonly StoryTask[]): void => {
    used.add(file)
    files.push({ name, bytes: file.bytes, seed, tasks })
  }
  const unlabelled: string[] = []
  const { agentBoard, zork } = knownGames()
  agentBoard.forEach((game, place) => {
    const { name, edition, seed, start } = game
    const file =
      corpus.find((file) => file.edition === edition) ??
      corpus.find((file) => stem(file.file) === name && !isOther(file, game))
    if (file === undefined) return
    const label = labels?.[place]
    if (label === undefined) {
      used.add(file)
      unlabelled.push(name)
      return
    }
    // AgentBoard has the texts of `huntdark` under another name, and does not find them.
    const goal = texts === undefined ? label.goal : (texts.goals.get(name) ?? missing)
    const opening = texts === undefined ? undefined : (texts.openings.get(name) ?? missing)
    const { subGoals, difficulty } = label
    const task = { id: name, goal: goal ?? missing, difficulty, start, subGoals }
    take(file, name, seed, [{ ...task, ...(opening !== undefined && { opening }) }])
  })
  for (const { name, edition, seed, tasks } of zork) {
    const file = corpus.find((candidate) => candidate.edition === edition)
    // Tasks are of one benchmark: with labels AgentBoard's alone are played.
    if (file !== undefined && labels === undefined) take(file, name, seed, tasks)
    else if (file !== undefined) used.add(file)
  }
  if (unlabelled.length > 0) {
    notes.push(
      `No goals are known for ${unlabelled.join(', ')}. Give AgentBoard's data/jericho/test.jsonl (jericho.labels) to play ${unlabelled.length === 1 ? 'it' : 'them'}.`,
    )
  }
  const others = corpus.filter((file) => !used.has(file)).map(({ file }) => file)
  if (others.length > 0)
    notes.push(`Not known, and left out: ${others.slice(0, 10).join(', ')}${others.length > 10 ? ', …' : ''}.`)
  const isWhole = labels !== undefined && texts !== undefined && files.length === agentBoard.length
  if (files.length > 0) return { files, isAgentBoards: labels !== undefined, isWhole, notes }
  throw new ShaketableError('bad-input', [`${folder}: no story with goals was found.`, ...notes, advice].join(' '))
}

/** Whether a file is a known one of another game or release. */
function isOther({ edition }: FoundFile, game: object): boolean {
  const { agentBoard, zork } = knownGames()
  return [...agentBoard, ...zork].some((known) => known !== game && known.edition === edition)
}

function readFolder(folder: string): readonly FoundFile[] {
  let names: readonly string[]
  try {
    names = readdirSync(folder).sort()
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const why = isMissing ? 'there is no such folder' : messageOf(cause)
    throw new ShaketableError('bad-input', `The folder ${folder} cannot be read: ${why}. ${advice}`, { cause })
  }
  return names.flatMap((file): FoundFile[] => {
    if (!extensions.has(extname(file).toLowerCase())) return []
    try {
      const bytes = readRegular(join(folder, file), maxBytes)
      const { release, serial } = new Machine(bytes).header
      return [{ file, bytes, edition: `${String(release)}.${serial}` }]
    } catch {
      return [{ file, bytes: new Uint8Array(), edition: '' }]
    }
  })
}

function stem(file: string): string {
  return basename(file, extname(file)).toLowerCase()
}

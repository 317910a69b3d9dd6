import type { PackedChunk, PackedIndex, PackedRow, ShownEpisode } from '../packed.js'

/** An episode of the list. A task's `goal` and `kind` are empty where the run does not know them. */
export interface Episode extends PackedRow {
  /** Its place in the order of the page. */
  readonly place: number
  readonly goal: string
  readonly kind: string
  /** What the perturbations of its condition do; empty for a clean episode. */
  readonly rule: string
  /** Whether a success of the clean twin was lost, one was gained against it, or neither. */
  readonly change: '' | 'lost' | 'gained'
  /** Actions that were not understood; undefined where the environment cannot determine it. */
  readonly refused: number | undefined
  /** The same task, seed, temperature, model and agent, in each listed condition. */
  readonly siblings: readonly Episode[]
  /** Absent for a clean episode, or if the twin is not listed. */
  readonly twin?: Episode | undefined
}

/** The episodes of a packed index, in order. */
export function openIndex({ episodes, clean, tasks, conditions }: PackedIndex): Episode[] {
  const groups = new Map<string, Episode[]>()
  const taskOf = new Map(tasks.map((task) => [`${task.environment}\n${task.task}`, task]))
  const ruleOf = new Map(conditions.map(({ condition, rule }) => [condition, rule]))
  return episodes.map((row, place) => {
    const { environment, task, model, agent, condition, temperature, seed, steps, understood } = row
    const identity = [environment, task, model, agent, temperature, seed].join('\n')
    const siblings = groups.get(identity) ?? []
    groups.set(identity, siblings)
    const { goal, kind } = taskOf.get(`${environment}\n${task}`)!
    const episode = {
      ...{ ...row, place, goal, kind, rule: ruleOf.get(condition)!, siblings },
      refused: understood === undefined ? undefined : steps - understood,
      get twin(): Episode | undefined {
        return condition === clean ? undefined : siblings.find((sibling) => sibling.condition === clean)
      },
      get change(): Episode['change'] {
        return changeBetween(this.twin?.outcome, row.outcome)
      },
    }
    siblings.push(episode)
    return episode
  })
}

function changeBetween(clean: string | undefined, perturbed: string): Episode['change'] {
  if (clean === undefined || clean.endsWith('-error') || perturbed.endsWith('-error')) return ''
  const [before, now] = [clean === 'success', perturbed === 'success']
  return before === now ? '' : before ? 'lost' : 'gained'
}

/**
 * Reads a data block of the page, JSON in gzip and base64; the caller names its shape, as page and data are made
 * together.
 */
export async function readBlock<Shape>(id: string): Promise<Shape> {
  const text = document.getElementById(id)?.textContent
  if (text === undefined) {
    throw new Error(`Expected the block ${id} in this page, which may be truncated. Make the report again.`)
  }
  const bytes = Uint8Array.from(atob(text.slice(1, -1)), (character) => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(stream).text()) as Shape
}

/** The episodes of the page, which are read in chunks when they are needed. */
export interface EpisodeChunks {
  /** The first episode of each chunk. */
  readonly firsts: readonly number[]
  read(chunk: number): Promise<readonly ShownEpisode[]>
  /** Reads the episode of a place. */
  open(place: number): Promise<ShownEpisode>
}

/** The episodes of a chunk with their prompts. */
export function openChunk({ messages, prompts, episodes }: PackedChunk): ShownEpisode[] {
  return episodes.map(({ said, ...episode }, at) => {
    const prompt = prompts[at]!.map((message) => messages[message]!)
    return { ...episode, said: said && { ...said, prompt } }
  })
}

/** Opens the chunks of an index. */
export function openChunks({ chunks: firsts }: PackedIndex): EpisodeChunks {
  const cached = new Map<number, Promise<readonly ShownEpisode[]>>()
  const read = (chunk: number): Promise<readonly ShownEpisode[]> => {
    const reading = cached.get(chunk) ?? readBlock<PackedChunk>(`chunk-${String(chunk)}`).then(openChunk)
    cached.set(chunk, reading)
    return reading
  }
  const open = async (place: number): Promise<ShownEpisode> => {
    const chunk = firsts.findLastIndex((first) => first <= place)
    return (await read(chunk))[place - firsts[chunk]!]!
  }
  return { firsts, read, open }
}

import { basename } from 'node:path'
import { readReactReply } from '../../agents/react-parser.js'
import { readTaggedReply } from '../../agents/tagged.js'
import { cutText } from '../../models/cut-text.js'
import { ShaketableError } from '../../core/errors.js'
import type { TrainingRow } from '../data-filter.js'
import type { ReadRowsOptions } from '../read-rows.js'
import { readRows } from '../read-rows.js'
import { kindsOf } from '../sft/settings.js'

/** The thoughts of a file of training data, trajectory by trajectory. */
export interface ReadThoughts {
  /** Name of the file without its ending, or its path where two have one name. */
  readonly name: string
  /** Rows in all, and those without a thought. */
  readonly rows: number
  readonly silent: number
  readonly trajectories: readonly (readonly string[])[]
}

/** Characters of thoughts that are read of a file; bounds memory. */
const maxCharacters = 200_000_000

/** @throws ShaketableError `bad-input` for a file that cannot be read or has no row */
export function readThoughts(path: string, options: ReadRowsOptions = {}): ReadThoughts {
  const trajectories: (readonly string[])[] = []
  let [rows, silent, characters] = [0, 0, 0]
  for (const { row } of readRows(path, options)) {
    rows++
    const thoughts = thoughtsIn(row)
    if (thoughts.length === 0) silent++
    else trajectories.push(thoughts)
    characters += thoughts.reduce((sum, { length }) => sum + length, 0)
    if (characters > maxCharacters) break
  }
  if (rows === 0) {
    throw new ShaketableError('bad-input', `Expected rows of training data in ${path}, got none. Check the path.`)
  }
  return { name: basename(path).replace(/\.(?:json|jsonl|ndjson)$/i, ''), rows, silent, trajectories }
}

/** The most thoughts of a row, and characters of each. */
const [maxThoughts, maxThought] = [500, 4000]

function thoughtsIn(row: TrainingRow): readonly string[] {
  const kinds = kindsOf(row)
  return row.turns
    .flatMap(({ text }, index) => (kinds[index] === undefined || kinds[index] === 'ready' ? [] : [thoughtIn(text)]))
    .map((thought) => cutText(thought.trim(), maxThought))
    .filter((thought) => /[\p{L}\p{N}]/u.test(thought))
    .slice(0, maxThoughts)
}

const actionLabel = /^[\s>*#-]{0,20}action(?: ?\d{1,4})?[*\s]{0,4}:/im

/** The label of a thought without any text. */
const emptyThought = /^[\s>*#-]{0,20}(?:thought|think)s?(?: ?\d{1,4})?[*\s]{0,4}:\**\s*$/i

/**
 * The thought in a reply: in tags (`<think>`), behind a label (`Thought: … Action: …`, as the turns of AgentRefine's
 * Player are written too), or the text above `Action:`. Empty for a reply without tags and labels, which is an action.
 */
export function thoughtIn(reply: string): string {
  if (/<action>|<think>/i.test(reply)) return readTaggedReply(reply).thought
  const { thought, actions } = readReactReply(reply)
  if (thought !== '' || actions.length === 0) return thought
  return reply
    .slice(0, actionLabel.exec(reply)?.index ?? 0)
    .replace(emptyThought, '')
    .trim()
}

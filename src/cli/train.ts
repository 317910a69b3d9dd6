import { ShaketableError } from '../core/errors.js'
import { createRandom } from '../core/random.js'
import { writeWhole } from '../files/write-whole.js'
import type { Conversation } from '../training/learn/conversation.js'
import { readTurns } from '../training/learn/conversation.js'
import { openModel, printModel } from '../training/learn/model-file.js'
import { train } from '../training/learn/train.js'
import { readRows } from '../training/records.js'
import type { RecordFile } from '../training/records.js'
import { openRecords } from '../training/records.js'
import type { OptionsOf } from './_flags.js'
import { makeCommand, refuseExisting, required, share, whole } from './_flags.js'
import { escapeLine, number, percent, print } from './_lines.js'
import { problemPrinter } from './_problems.js'

const maxRows = 1_000_000
/** Bounds memory: all rows are held while training. */
const maxCharacters = 400_000_000

const flags = [
  required('--out <file>', 'file to write the model to'),
  whole('--seed <n>', 'seed of the order of the rows', 0, 2 ** 31 - 1, 0),
  whole('--epochs <n>', 'passes over the data; 0 for an untrained model', 0, 100, 3),
  share('--reading <share>', 'learning rate for reading the prompt, relative to that for memorising', {}, 0.25),
  whole('--rows <n>', 'learn from the first rows only', 1, maxRows, maxRows),
  ['--force', 'replace an existing file'],
] as const

/** `shaketable train DATA --out MODEL`: trains a small model on training data and writes it as one file. */
export const trainCommand = () =>
  makeCommand(
    'train',
    'Trains a small model on the actions in training data: which form comes next, with which names. Play the file that it writes with --model learned:FILE.',
    { places: [['<data>', 'a file of training data in any known format']], flags, run },
  )

const unusable = (message: string): ShaketableError => new ShaketableError('bad-input', message)

async function run(path: string, options: OptionsOf<typeof flags>): Promise<void> {
  const { out, rows, epochs, seed, reading } = options
  refuseExisting(out, options.force)
  const file = openRecords(path)
  if (file.isScripted) {
    throw unusable(
      `Expected rows laid out as an agent plays them in ${path}, got trajectories of a Player and a DM. Repeat shaketable data synthesise with --format messages and another --out: it lays out what it has made.`,
    )
  }
  const { conversations, sources } = readConversations(path, file.records, rows)
  const exchanges = conversations.flatMap((conversation) => conversation.exchanges)
  const [turns, masked] = [exchanges.length, exchanges.filter(({ loss }) => !loss).length]
  if (turns === masked) throw unusable(`Expected turns to learn from in ${path}, got none. Check the path.`)
  const from = [...sources].map(([name, count]) => `${name} ${number(count)}`).join(', ')
  await print(escapeLine(`${path}: ${number(conversations.length)} rows (${from})`))
  await print(`${number(turns)} actions, ${number(masked)} of them masked`)
  const started = performance.now()
  const epoch = (count: number, accuracy: number): void =>
    void process.stderr.write(`epoch ${String(count)}: ${percent(accuracy)} right\n`)
  const trained = train(conversations, { epochs, reading, random: createRandom(String(seed)), epoch })
  const { passedOver, learned, accuracy, vocabulary } = trained
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (passedOver > 0)
    await print(`${number(passedOver)} actions were skipped: they name items that the conversation had not mentioned`)
  await print(
    `${number(learned)} actions learned from in ${seconds} s, ${percent(accuracy)} of them predicted in the last epoch; ${number(vocabulary.said.size)} forms of action, ${number(vocabulary.kinds.size)} kinds of item`,
  )
  const text = printModel(trained, { rows: conversations.length, turns, masked, epochs, seed, reading })
  writeWhole(out, text, 'Give --out another path')
  const { settings } = openModel(out)
  await print(escapeLine(`${out}: ${number(text.length)} bytes, ${String(settings['learned'])}`))
}

/** The conversations of a file, and its rows by the stem of their ids. */
function readConversations(path: string, records: RecordFile['records'], maxCount: number) {
  const conversations: Conversation[] = []
  const sources = new Map<string, number>()
  let characters = 0
  const problems = problemPrinter()
  for (const { row, raw } of readRows(path, { problem: problems.print, records })) {
    characters += raw.length
    if (characters > maxCharacters) {
      throw unusable(
        `Expected at most ${number(maxCharacters)} characters of training data, got more in ${path}. Give --rows ${String(conversations.length)}.`,
      )
    }
    conversations.push(readTurns(row.turns))
    const stem = (row.id ?? '').slice(0, 60).replace(/[_-]?\d+$/, '') || 'without a name'
    const source = sources.has(stem) || sources.size < 20 ? stem : 'others'
    sources.set(source, (sources.get(source) ?? 0) + 1)
    if (conversations.length >= maxCount) break
  }
  problems.end()
  return { conversations, sources }
}

import { ShaketableError } from '../core/errors.js'
import { createRandom } from '../core/random.js'
import { writeWhole } from '../files/write-whole.js'
import { type Conversation, readTurns } from '../training/learn/conversation.js'
import { openModel, printModel } from '../training/learn/model-file.js'
import { train } from '../training/learn/train.js'
import { type RecordFile, openRecords, readRows } from '../training/records.js'
import { type OptionsOf, makeCommand, refuseExisting, required, share, whole } from './_flags.js'
import { number, percent, printLines, problemPrinter } from './_lines.js'

/** Bounds memory: all rows are held while training. */
const maxCharacters = 400_000_000

const flags = [
  required('--out <file>', 'file to write the model to'),
  whole('--seed <n>', 'seed of the order of the rows', 0, 2 ** 31 - 1, 0),
  whole('--epochs <n>', 'passes over the data; 0 for an untrained model', 0, 100, 3),
  share('--reading <share>', 'learning rate for reading the prompt, relative to that for memorising', 0, 1, 0.25),
  whole('--rows <n>', 'learn from the first rows only', 1, 1_000_000, 1_000_000),
  ['--force', 'replace an existing file'],
] as const

/** `shaketable train DATA --out MODEL`: trains a small model on training data and writes it as one file. */
export const trainCommand = () =>
  makeCommand({ places: [['<data>', 'a file of training data in any known format']], flags, run })

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
  const conversations = readConversations(path, file.records, rows)
  const exchanges = conversations.flatMap((conversation) => conversation.exchanges)
  const [turns, masked] = [exchanges.length, exchanges.filter(({ loss }) => !loss).length]
  if (turns === masked) throw unusable(`Expected turns to learn from in ${path}, got none. Check the path.`)
  await printLines([
    `${path}: ${number(conversations.length)} rows, ${number(turns)} actions, ${number(masked)} of them masked`,
  ])
  const epoch = (count: number, accuracy: number): void =>
    void process.stderr.write(`epoch ${String(count)}: ${percent(accuracy)} right\n`)
  const trained = train(conversations, { epochs, reading, random: createRandom(String(seed)), epoch })
  const { passedOver, learned, accuracy, vocabulary } = trained
  const text = printModel(trained, { rows: conversations.length, turns, masked, epochs, seed, reading })
  writeWhole(out, text, 'Give --out another path')
  const { settings } = openModel(out)
  await printLines([
    passedOver > 0 &&
      `${number(passedOver)} actions were skipped: they name items that the conversation had not mentioned`,
    `${number(learned)} actions learned from, ${percent(accuracy)} of them predicted in the last epoch; ${number(vocabulary.said.size)} forms of action, ${number(vocabulary.kinds.size)} kinds of item`,
    `${out}: ${number(text.length)} bytes, ${String(settings['learned'])}`,
  ])
}

function readConversations(path: string, records: RecordFile['records'], maxCount: number): readonly Conversation[] {
  const conversations: Conversation[] = []
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
    if (conversations.length >= maxCount) break
  }
  problems.end()
  return conversations
}

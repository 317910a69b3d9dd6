import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { ShaketableError } from '../core/errors.js'
import { createRandom } from '../core/random.js'
import { readRows } from '../data/formats/read-rows.js'
import { asWriteError } from '../files/write-error.js'
import { writeWhole } from '../files/write-whole.js'
import type { Conversation } from '../learn/conversation.js'
import { openModel, printModel } from '../learn/learned-model.js'
import { readTurns } from '../learn/conversation.js'
import { train } from '../learn/train.js'
import { harmlessLine, number, print, say } from './_lines.js'
import { readShare, readWhole } from './_flags.js'

interface TrainFlags {
  readonly out: string
  readonly seed: string
  readonly epochs: string
  readonly reading: string
  readonly rows?: string
  readonly force?: true
}

const maxRows = 1_000_000
/** All rows are held in memory while they are learned from. */
const maxCharacters = 400_000_000

/** `shaketable train DATA --out MODEL`: trains a small model on training data and writes it as one file. */
export function trainCommand(): Command {
  return new Command('train')
    .description(
      'Trains a small model on the actions in training data: which form comes next, and which names stand in it. The file it writes plays as a model: --model learned:FILE.',
    )
    .argument('<data>', 'a file of training data, in any format that is known')
    .requiredOption('--out <file>', 'where the model goes')
    .option('--seed <n>', 'decides the order in which rows are learned from', '0')
    .option('--epochs <n>', 'how often every row is learned from; 0 for a model that is not trained', '3')
    .option(
      '--reading <share>',
      'how fast it learns what it has to read, beside what it says by heart: 1 for as fast',
      '0.25',
    )
    .option('--rows <n>', 'learn from the first so many rows only')
    .option('--force', 'replace a file that is there already')
    .action(run)
}

async function run(path: string, flags: TrainFlags): Promise<void> {
  const { out } = flags
  const seed = readWhole('--seed', flags.seed, 0, 2 ** 31 - 1)
  const epochs = readWhole('--epochs', flags.epochs, 0, 100)
  const rows = flags.rows === undefined ? maxRows : readWhole('--rows', flags.rows, 1, maxRows)
  const reading = readShare('--reading', flags.reading, {})
  if (flags.force !== true && existsSync(out)) {
    throw new ShaketableError('usage', `--out: ${out} is there already. Give another path, or --force to replace it.`)
  }
  const { conversations, sources, masked } = readConversations(path, rows)
  const turns = conversations.reduce((sum, { exchanges }) => sum + exchanges.length, 0)
  if (turns === masked) {
    throw new ShaketableError('bad-input', `Expected turns to learn from in ${path}, got none. Check the path.`)
  }
  const from = [...sources].map(([name, count]) => `${name} ${number(count)}`).join(', ')
  await print(harmlessLine(`${path}: ${number(conversations.length)} rows (${from})`))
  await print(`${number(turns)} actions, ${number(masked)} of them masked`)
  const started = performance.now()
  const trained = train(conversations, {
    epochs,
    reading,
    random: createRandom(String(seed)),
    epoch: (epoch, accuracy) => process.stderr.write(`epoch ${String(epoch)}: ${percent(accuracy)} right\n`),
  })
  const seconds = (performance.now() - started) / 1000
  const text = printModel(trained, { rows: conversations.length, turns, masked, epochs, seed, reading })
  try {
    writeWhole(out, text)
  } catch (thrown) {
    throw asWriteError(thrown, out, 'Give --out another path')
  }
  const { settings } = openModel(out)
  if (trained.passedOver > 0) {
    await print(`${number(trained.passedOver)} actions were passed over: they name what was not seen before`)
  }
  await print(
    `${number(trained.learned)} actions learned from in ${seconds.toFixed(1)} s, ${percent(trained.accuracy)} of them foreseen in the last epoch; ${number(trained.vocabulary.said.size)} forms of action, ${number(trained.vocabulary.kinds.size)} kinds of item`,
  )
  await print(harmlessLine(`${out}: ${number(text.length)} bytes, ${String(settings['learned'])}`))
}

interface ReadConversations {
  readonly conversations: readonly Conversation[]
  /** Rows by what their ids begin with. */
  readonly sources: ReadonlyMap<string, number>
  readonly masked: number
}

function readConversations(path: string, most: number): ReadConversations {
  const conversations: Conversation[] = []
  const sources = new Map<string, number>()
  let masked = 0
  let characters = 0
  const problem = ({ line, message }: { readonly line: number; readonly message: string }): void => {
    say(harmlessLine(`${path}:${String(line)}: ${message}.`))
  }
  for (const { row, raw } of readRows(path, { problem })) {
    characters += raw.length
    if (characters > maxCharacters) {
      throw new ShaketableError(
        'bad-input',
        `Expected at most ${number(maxCharacters)} characters of training data, got more in ${path}. Give --rows ${String(conversations.length)}.`,
      )
    }
    const conversation = readTurns(row.turns)
    conversations.push(conversation)
    masked += conversation.exchanges.filter(({ loss }) => !loss).length
    const stem = (row.id ?? '').slice(0, 60).replace(/[_-]?\d+$/, '') || 'without a name'
    const source = sources.has(stem) || sources.size < 20 ? stem : 'others'
    sources.set(source, (sources.get(source) ?? 0) + 1)
    if (conversations.length >= most) break
  }
  return { conversations, sources, masked }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { ShaketableError } from '../core/errors.js'
import { createRandom } from '../core/random.js'
import { readRows } from '../data/formats/read-rows.js'
import { isScripted } from '../data/sft/read-training.js'
import { writeWhole } from '../files/write-whole.js'
import type { Conversation } from '../learn/conversation.js'
import { printModel } from '../learn/learned-model.js'
import { readTurns } from '../learn/conversation.js'
import { openModel } from '../learn/open-model.js'
import { train } from '../learn/train.js'
import { trainTransformer } from '../learn/transformer/train-transformer.js'
import { printTransformer } from '../learn/transformer/transformer-file.js'
import { escapeLine, number, percent, print, say } from './_lines.js'
import { choice, share, whole } from './_flags.js'

/** Kinds of model, with the passes over the data that each takes by default. */
const kinds = { hashed: 3, transformer: 5 } as const
type Kind = keyof typeof kinds

interface TrainFlags {
  readonly out: string
  readonly kind: Kind
  readonly seed: number
  readonly epochs?: number
  readonly reading?: number
  readonly rows: number
  readonly force?: true
}

const maxRows = 1_000_000
/** Bounds memory: all rows are held while training. */
const maxCharacters = 400_000_000

/** `shaketable train DATA --out MODEL`: trains a small model on training data and writes it as one file. */
export function trainCommand(): Command {
  return new Command('train')
    .description(
      'Trains a small model on the actions in training data: which form comes next, with which names. Play the file that it writes with --model learned:FILE.',
    )
    .argument('<data>', 'a file of training data in any known format')
    .requiredOption('--out <file>', 'file to write the model to')
    .option(...whole('--seed <n>', 'seed of the order of the rows', 0, 2 ** 31 - 1, 0))
    .option(...choice('--kind <name>', 'the kind of model', Object.keys(kinds) as Kind[], 'hashed'))
    .option(
      ...whole('--epochs <n>', 'passes over the data; 0 for an untrained model (default: 3; transformer: 5)', 0, 100),
    )
    .option(
      ...share(
        '--reading <share>',
        'hashed: learning rate for reading the prompt, relative to that for memorising (default: 0.25)',
        {},
      ),
    )
    .option(...whole('--rows <n>', 'learn from the first rows only', 1, maxRows, maxRows))
    .option('--force', 'replace an existing file')
    .action(run)
}

async function run(path: string, flags: TrainFlags): Promise<void> {
  const { out, kind, rows } = flags
  if (flags.force !== true && existsSync(out)) {
    throw new ShaketableError('usage', `--out: ${out} exists already. Give another path, or --force to replace it.`)
  }
  if (kind === 'transformer' && flags.reading !== undefined) {
    throw new ShaketableError('usage', '--reading: expected --kind hashed, got transformer. Leave --reading out.')
  }
  if (isScripted(path)) {
    throw new ShaketableError(
      'bad-input',
      `Expected rows laid out as an agent plays them in ${path}, got trajectories of a Player and a DM. Repeat shaketable synthesise with --format messages and another --out: it lays out what it has made.`,
    )
  }
  const data = readConversations(path, rows)
  const { conversations, sources, masked } = data
  const turns = conversations.reduce((sum, { exchanges }) => sum + exchanges.length, 0)
  if (turns === masked) {
    throw new ShaketableError('bad-input', `Expected turns to learn from in ${path}, got none. Check the path.`)
  }
  const from = [...sources].map(([name, count]) => `${name} ${number(count)}`).join(', ')
  await print(escapeLine(`${path}: ${number(conversations.length)} rows (${from})`))
  await print(`${number(turns)} actions, ${number(masked)} of them masked`)
  const made = { rows: conversations.length, turns, masked, epochs: flags.epochs ?? kinds[kind], seed: flags.seed }
  const text = await (kind === 'hashed' ? trainHashed(data, flags, made) : trainOnTokens(data, made))
  writeWhole(out, text, 'Give --out another path')
  const { settings } = openModel(out)
  await print(escapeLine(`${out}: ${number(text.length)} bytes, ${String(settings['learned'])}`))
}

interface Made {
  readonly rows: number
  readonly turns: number
  readonly masked: number
  readonly epochs: number
  readonly seed: number
}

const sayEpoch = (epoch: number, accuracy: number): void =>
  void process.stderr.write(`epoch ${String(epoch)}: ${percent(accuracy)} right\n`)
const secondsSince = (started: number): string => ((performance.now() - started) / 1000).toFixed(1)

async function trainHashed({ conversations }: ReadConversations, flags: TrainFlags, made: Made): Promise<string> {
  const { reading = 0.25 } = flags
  const started = performance.now()
  const random = createRandom(String(made.seed))
  const trained = train(conversations, { epochs: made.epochs, reading, random, epoch: sayEpoch })
  const seconds = secondsSince(started)
  if (trained.passedOver > 0) {
    await print(
      `${number(trained.passedOver)} actions were skipped: they name items that the conversation had not mentioned`,
    )
  }
  await print(
    `${number(trained.learned)} actions learned from in ${seconds} s, ${percent(trained.accuracy)} of them predicted in the last epoch; ${number(trained.vocabulary.said.size)} forms of action, ${number(trained.vocabulary.kinds.size)} kinds of item`,
  )
  return printModel(trained, { ...made, reading })
}

async function trainOnTokens({ conversations }: ReadConversations, made: Made): Promise<string> {
  const started = performance.now()
  const trained = await trainTransformer(conversations, {
    epochs: made.epochs,
    random: createRandom(String(made.seed)),
    threads: 2,
    epoch: (epoch, accuracy) => {
      process.stderr.write(`${secondsSince(started)} s, `)
      sayEpoch(epoch, accuracy)
    },
  })
  await print(
    `${number(trained.actions)} actions and ${number(trained.tokens)} tokens learned from in ${secondsSince(started)} s, ${percent(trained.accuracy)} of the actions predicted in the last epoch; ${number(trained.weights.length)} parameters, ${number(trained.shape.vocabulary)} tokens`,
  )
  return printTransformer(trained, made)
}

interface ReadConversations {
  readonly conversations: readonly Conversation[]
  /** Rows by the stem of their ids. */
  readonly sources: ReadonlyMap<string, number>
  readonly masked: number
}

function readConversations(path: string, maxCount: number): ReadConversations {
  const conversations: Conversation[] = []
  const sources = new Map<string, number>()
  let masked = 0
  let characters = 0
  const problem = ({ line, message }: { readonly line: number; readonly message: string }): void => {
    say(escapeLine(`${path}:${String(line)}: ${message}.`))
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
    if (conversations.length >= maxCount) break
  }
  return { conversations, sources, masked }
}

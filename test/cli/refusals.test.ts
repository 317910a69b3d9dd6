import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { main, shaketable } from './_command.js'

const folder = scratchFolder()
const forms = '--upstream http://127.0.0.1:9/v1 --perturb agentrefine-1 --forms'

beforeAll(async () => {
  const row = '{"conversations":[{"from":"human","value":"a"},{"from":"gpt","value":"b"}]}\n'
  for (const name of ['a.jsonl', 'a.trl.jsonl']) writeFileSync(join(folder, name), row)
  writeFileSync(join(folder, 'taken.yaml'), '')
  writeFileSync(join(folder, 'lens.ts'), "export default { name: 'short', promise: 'invariant', open: () => ({}) }")
  writeFileSync(join(folder, 'prepare.yaml'), "prepare: ['rm -rf --out x']\n")
  const grid = 'run --env household --tasks 2 --model reader,parrot --perturb none --temperatures 1 --seeds 1 --out one'
  expect((await shaketable(grid.split(' '), folder)).code).toBe(0)
})

/** Each in one sentence: a command line, its exit code and what the sentence has. */
const refused: readonly (readonly [line: string, code: number, words: string | RegExp])[] = [
  ['runn', 2, "Did you mean 'run'?"],
  ['run --seeds many', 2, /^--seeds: expected a number of seeds/],
  ['run --model reader,reader', 2, /^--model: expected different models/],
  ['run --model readr --json --quiet', 2, "Did you mean 'reader'?"],
  ['run --model reader --tasks no-such-task', 2, /^--tasks: /],
  ['run --model reader --seeds 1,1', 2, "got '1' twice"],
  ['run agentrefine-table-33', 2, "Did you mean 'agentrefine-table-3'?"],
  ['run --out=', 2, /^--out: expected a folder/],
  ['run --env household --set household.games=gripper', 2, "no option 'games'"],
  ['run --env scienceworld --model random', 2, "needs ScienceWorld's engine"],
  ['run --env household --replay a --record b', 2, '--replay: expected no --record beside it'],
  ['run --env household --record x.jsonl --workers 2', 2, /^--workers: expected no --record beside it/],
  ['run --queue redis://x --replay c', 2, /^--queue: expected no --replay/],
  ['run --env household --replay nowhere.jsonl', 2, 'no such file'],
  ['run prepare.yaml', 2, 'expected a command that makes a file'],
  ['run --env household --tasks 1 --seeds 1 --out /proc/x', 2, /^Cannot write to \/proc\/x/],
  ['report', 2, "Expected a run's folder"],
  ['report nowhere', 2, 'Expected a run folder'],
  ['report one --format latx', 2, "Did you mean 'latex'?"],
  ['report one --by family', 2, /^--by: expected --table/],
  ['report one --rows reader', 2, /^--rows: expected --format latex/],
  ['report one --out one/plan.json', 2, /^Cannot write to .* Choose another folder/],
  [`report --proxy-log ${main}`, 2, 'expected the first line of a proxy'],
  ['runs nope', 2, 'there is no nope'],
  ['runs . --follow', 2, '--follow: expected one run, got .'],
  ['watch', 2, "'watch' is not a command any more. Use shaketable runs RUN --follow."],
  ['show one zz', 2, "beginning of an episode's key"],
  ['show one --twin', 2, 'Expected one episode, but 4 match'],
  ['show one --only model=parot', 2, "Did you mean 'parrot'?"],
  ['show one --outcome error', 2, 'No stored episode'],
  ['compare one --model reader=parot', 2, "Did you mean 'parrot'?"],
  ['compare one --model reader', 2, 'expected two names as in old=new'],
  ['check one', 2, 'Expected --baseline or --self'],
  ['check one --baseline one/plan.json', 2, /--update-baseline\.\n$/],
  ['check one --baseline b.json --update-baseline', 2, /^--update-baseline: expected --why/],
  ['check one --baseline b.json --why x', 2, /^--why: expected --update-baseline/],
  ['check one --baseline b.json --update-baseline --why x --junit x.xml', 2, /expected no --junit/],
  ['check one --self', 2, 'at least 2 seeds, got 1'],
  ['check one --baseline b.json --margin 5', 2, 'Write 0.05 for 5 %.'],
  ['power one', 2, /two seeds or more.* --seeds 3\.\n$/],
  ['merge nothing --out x', 2, 'Expected a run folder'],
  ['list enviroments', 2, /Allowed choices are environments/],
  ['list models raeder', 2, "Did you mean 'reader'?"],
  ['doctor', 2, 'Expected --model or --env, got neither'],
  ['doctor --env hotpot', 2, "Did you mean 'hotpotqa'?"],
  ['doctor --model x', 2, 'OPENAI_BASE_URL is not set'],
  ['init perturbation ../away', 2, 'small letters'],
  ['init environment household', 2, 'ships with shaketable'],
  ['init experiment taken', 2, 'exists already and was not changed'],
  ['init experiment x --base-url localhost', 2, 'A base URL begins with http'],
  ['init experiment x --base-url http://localhost/v1', 2, /^--base-url: expected --model/],
  ['init experiment x --model raeder', 2, "Did you mean 'reader'?"],
  ['init environment x --env babyai', 2, 'are for an experiment'],
  ['validate --perturb none', 2, 'Expected a perturbation to validate'],
  ['validate --tasks 0', 2, /^--tasks: expected/],
  ['play household --task 1000', 2, '1000'],
  ['play pddl --set pddl.data=/nowhere', 2, "Expected AgentBoard's PDDL games"],
  ['serve oracle', 2, 'The oracle needs the world'],
  ['serve --port 65536', 2, 'from 0 to 65,535'],
  ['serve --host 203.0.113.1', 2, 'Cannot listen on'],
  ['serve a/../b?=reader', 2, 'Expected a served name'],
  ['proxy --upstream ftp://x --forms household --perturb synonyms', 2, 'A base URL begins with http'],
  [`proxy ${forms} houshold`, 2, "Did you mean 'household'?"],
  [`proxy ${forms} pddl`, 2, 'are not the same in all its games'],
  [`proxy ${forms} household --perturb length-matched`, 2, 'needs the texts of another condition'],
  [`proxy ${forms} household --perturb agentrefine-4:intensity=0.5`, 2, "'intensity'"],
  ['shrink one', 2, "missing required argument 'episode'"],
  ['train a.jsonl --out a.jsonl', 2, 'exists already'],
  ['train a.jsonl --out x.json --reading 2', 2, /'--reading <share>'.* Expected a number from 0 to 1/],
  ['paraphrase --model x --out x.json --name A', 2, /'--name <name>'.* Expected at most 40/],
  ['data collect --out a.jsonl', 2, 'exists already'],
  ['data collect --out x --nope', 2, /unknown option '--nope'/],
  ['data collect --out x --agent tools', 2, 'a layout in text'],
  ['data collect --out x --policy random --tasks 2', 1, 'None of 2 episodes succeeded'],
  ['data synthesise --model teacher --count 5 --out a.jsonl', 2, 'exists already'],
  ['data synthesise --model teacher --count 5 --out x --format agentinstruct --agent tools', 2, 'a layout in text'],
  ['data export-sft a.jsonl --name a --out .', 2, 'would overwrite its own input'],
  ['data export-sft a.trl.jsonl --name a --out . --trainer trl', 2, 'would overwrite its own input'],
  ['data export-sft a.jsonl --out x --base-model a/b', 2, 'sharegpt has no configuration'],
  ['data export-sft a.jsonl --out x --trainer trl --template llama3', 2, 'only llama-factory'],
  ['data export one --out x', 2, '--format'],
  ['data export one --format atiff --out x', 2, "Did you mean 'atif'?"],
  ['data export one --format rows --only model=raeder --out x', 2, "Did you mean 'reader'?"],
  ['data export one --format rows --outcome budget --out x', 2, 'No stored episode of one matches'],
  ['data export missing --format rows --out x', 2, 'missing'],
  ['data export one --format atif --out a.jsonl', 2, /a\.jsonl exists already.*--force/],
  ['data diversity none.jsonl', 2, 'none.jsonl'],
  ['data filter-ind a.jsonl', 2, 'Expected --out'],
  ['data filter-ind a.jsonl --dry-run --plugin lens.ts', 2, 'expected a data filter or an environment'],
  ['data filter-ind a.jsonl --dry-run --env alfwrld', 2, "Did you mean 'alfworld'?"],
  ['data verify a.jsonl --script a.jsonl --out a.jsonl', 2, 'another file than the inputs'],
  ['data verify a.jsonl --profile paper', 2, "Unknown value 'paper'"],
]

describe('a command that cannot be carried out', () => {
  it.each(refused)('%s', async (line, code, words) => {
    const before = readdirSync(folder)
    const ended = await shaketable(line.split(' '), folder)
    expect([ended.code, ended.stdout]).toEqual([code, ''])
    if (typeof words === 'string') expect(ended.stderr).toContain(words)
    else expect(ended.stderr).toMatch(words)
    expect(ended.stderr).not.toMatch(/\n\s+at /)
    expect(readdirSync(folder)).toEqual(before)
  })
})

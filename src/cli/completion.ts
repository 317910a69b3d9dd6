import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ShellCompDirective, script } from '@bomb.sh/tab'
import type { Option } from 'commander'
import { Argument, Command } from 'commander'
import { suites } from '../run/suites.js'
import { shipped } from '../run/registry.js'
import { filesOf } from '../run/store/run-folder.js'
import { choicesOf } from './_flags.js'
import { printData } from './_lines.js'

const shells = ['bash', 'zsh', 'fish'] as const

/** `shaketable completion`: the script that lets a shell complete commands, flags and names. */
export function completionCommand(): Command {
  return new Command('completion')
    .description('Prints a script that lets a shell complete commands, flags and names with the Tab key.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action(async (shell: (typeof shells)[number]) => {
      if (shell === 'bash') await printData(bashScript)
      else script(shell, 'shaketable', 'shaketable')
    })
}

/**
 * For bash a script of our own: that of @bomb.sh/tab needs the package bash-completion, evaluates the words on the
 * line, so that Tab would run a `$(…)` among them, and never completes files.
 */
const bashScript = `# bash completion for shaketable
_shaketable() {
    local IFS=$' \\t\\n' line="\${COMP_LINE:0:COMP_POINT}" words value current directive=0
    read -ra words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    current=\${words[\${#words[@]}-1]}
    current=\${current#--*=}
    COMPREPLY=()
    while IFS= read -r value; do
        if [[ $value == :* ]]; then directive=\${value#:}; else COMPREPLY+=("\${value%%$'\\t'*}"); fi
    done < <(shaketable complete -- "\${words[@]:1}" 2>/dev/null)
    # Of a word with colons bash replaces what follows the last one.
    [[ $current == *:* && $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("\${COMPREPLY[@]#"\${current%:*}:"}")
    if ((directive & ${String(ShellCompDirective.ShellCompDirectiveNoFileComp)})); then compopt +o default 2>/dev/null; fi
}
complete -o default -F _shaketable shaketable`

/** A command, as far as completion needs it. */
interface Completed {
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** A word that fits, with what it means. */
interface Suggestion {
  readonly value: string
  readonly meaning?: string | undefined
}

/** What fits at a place; without suggestions the shell completes files. */
type Suggest = () => readonly Suggestion[]

interface Described {
  readonly name: string
  readonly summary?: string
}

const described = (list: readonly Described[]): Suggestion[] =>
  list.map(({ name, summary }) => ({ value: name, meaning: summary }))
const environments: Suggest = () => described(shipped.list('environment'))
const models: Suggest = () => described(shipped.list('model'))
const agents: Suggest = () => described(shipped.list('agent'))
const perturbations: Suggest = () => described(shipped.list('lens'))

/** Run folders in `runs/`. */
const runs: Suggest = () => {
  if (!existsSync('runs')) return []
  const folders = readdirSync('runs').map((name) => join('runs', name))
  return folders.filter((folder) => existsSync(filesOf(folder).plan)).map((value) => ({ value }))
}

/** Values by the name of the option or of the argument. */
const known: Readonly<Record<string, Suggest>> = {
  '--env': environments,
  '--environment': environments,
  '--forms': environments,
  environment: environments,
  '--model': models,
  '--policy': models,
  models,
  '--agent': agents,
  '--messages': agents,
  '--perturb': perturbations,
  '--column': () => [{ value: 'none' }, ...perturbations()],
  '--family': () => described(shipped.list('lens').filter(({ draws = 1 }) => draws > 1)),
  '--suite': () => Object.keys(suites).map((value) => ({ value })),
  '--filter': () => described(shipped.list('filter')),
  '--pilot': runs,
  '--with': runs,
  run: runs,
  runA: runs,
  runB: runs,
}

/** Prints what fits at the last of these words, a line each, in the protocol of @bomb.sh/tab; nothing else, ever. */
export async function printCompletions(
  words: readonly string[],
  commands: Readonly<Record<string, Completed>>,
): Promise<void> {
  const found = await suggest(words, commands).catch(() => [])
  const current = (words.at(-1) ?? '').replace(/^--[\w-]+=/, '')
  const fitting = found.filter(({ value }) => value.startsWith(current))
  const directive =
    fitting.length > 0 ? ShellCompDirective.ShellCompDirectiveNoFileComp : ShellCompDirective.ShellCompDirectiveDefault
  const lines = fitting.map(({ value, meaning = '' }) => `${value}\t${meaning.replace(/\s+/g, ' ')}`)
  await printData([...lines, `:${String(directive)}`].join('\n'))
}

async function suggest(
  words: readonly string[],
  commands: Readonly<Record<string, Completed>>,
): Promise<readonly Suggestion[]> {
  const [current, before] = [words.at(-1) ?? '', words.slice(0, -1)]
  const at = before.findIndex((word) => !word.startsWith('-') && word !== 'help')
  if (at < 0) {
    if (current.startsWith('-')) return ['--help', '--version'].map((value) => ({ value }))
    return Object.entries(commands).map(([value, { summary }]) => ({ value, meaning: summary }))
  }
  const command = await commands[before[at]!]?.load()
  if (command === undefined || before.includes('help')) return []
  const options = command.createHelp().visibleOptions(command)
  const findOption = (word: string): Option | undefined =>
    options.find(({ long, short }) => long === word || short === word)
  let place = 0
  let open: Option | undefined
  for (const word of before.slice(at + 1)) {
    const isValue = open !== undefined && (open.required || !word.startsWith('-'))
    open = isValue ? undefined : findOption(word)
    if (open?.isBoolean()) open = undefined
    if (!isValue && !word.startsWith('-')) place++
  }
  const assigned = /^(--[\w-]+)=(.*)$/.exec(current)
  if (assigned !== null) return valuesOf(findOption(assigned[1]!), assigned[2]!)
  if (open !== undefined && (open.required || !current.startsWith('-'))) return valuesOf(open, current)
  if (current.startsWith('-'))
    return options.map(({ long, description }) => ({ value: long ?? '', meaning: description }))
  const argument =
    command.registeredArguments[place] ?? command.registeredArguments.findLast(({ variadic }) => variadic)
  if (argument === undefined) return []
  return argument.argChoices?.map((value) => ({ value })) ?? known[argument.name()]?.() ?? []
}

/** Values of an option; of a list, those that its last name can be. */
function valuesOf(option: Option | undefined, current: string): readonly Suggestion[] {
  if (option === undefined) return []
  const [, alternatives = ''] = /<([\w-]+(?:\|[\w-]+)+)>/.exec(option.flags) ?? []
  const choices = choicesOf(option) ?? option.argChoices
  if (choices !== undefined) return choices.map((value) => ({ value }))
  const listed = known[option.long ?? '']?.()
  if (listed !== undefined) {
    const list = current.slice(0, Math.max(current.lastIndexOf(','), current.lastIndexOf('+')) + 1)
    return listed.map(({ value, meaning }) => ({ value: list + value, meaning }))
  }
  return /\b(?:n|names?|file|folder|path|id|ids|all|numbers)\b/.test(alternatives)
    ? []
    : alternatives
        .split('|')
        .filter((value) => value !== '')
        .map((value) => ({ value }))
}

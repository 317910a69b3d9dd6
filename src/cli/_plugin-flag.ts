import type { Command } from 'commander'
import { loadRegistry } from '../run/plugins.js'
import type { Registry } from '../run/registry.js'
import { say } from './_lines.js'

/** The option of every command that names an environment, a perturbation, a model, an agent, a report or a law. */
export interface PluginFlag {
  readonly plugin?: readonly string[]
}

/** Lets a command take plug-ins. */
export function addPluginFlag(command: Command): Command {
  return command.option(
    '--plugin <file>',
    'a file, or an installed package, that defines anything of your own (see docs/plugins.md); may be given again',
    (value: string, before: readonly string[] = []) => [...before, value],
  )
}

/** All that a command can name. @throws ShaketableError `bad-input` for a plug-in that cannot be used */
export function readPlugins({ plugin = [] }: PluginFlag): Promise<Registry> {
  return loadRegistry(plugin, say)
}

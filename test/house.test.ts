import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What a plan, a row and a data filter are: types and little more, for every folder that may import core. */
const definitions = ['src/run/plan.ts', 'src/results/episode-row.ts', 'src/training/data-filter.ts']

/** The folders from which each folder of src may import; every file may import packages and its own folder. */
const rooms: Record<string, readonly string[]> = {
  'src/run/plan.ts': ['src/core'],
  'src/results/episode-row.ts': ['src/core'],
  'src/training/data-filter.ts': ['src/core'],
  'src/core': [],
  'src/statistics': [],
  'src/tables': ['src/statistics'],
  'src/define': ['src/core', 'src/files'],
  'src/play': ['src/core', 'src/models'],
  'src/define.ts': ['src/core', 'src/define', 'src/agents', 'src/play'],
  'src/index.ts': ['src/define.ts', 'src/agents', 'src/laws'],
  'src/library.ts': ['src/core', 'src/define', 'src/environments', 'src/agents', 'src/models', 'src/run'],
  'src/testing.ts': ['src/core', 'src/laws', 'src/run'],
  'src/environments': ['src/core', 'src/define', 'src/files'],
  'src/agents': ['src/core', 'src/files', 'src/models'],
  'src/files': ['src/core'],
  'src/models': ['src/core', 'src/files'],
  'src/training': [
    'src/core',
    'src/define',
    'src/play',
    'src/models',
    'src/statistics',
    'src/tables',
    'src/files',
    'src/environments',
    'src/agents',
  ],
  'src/laws': ['src/core', 'src/define', 'src/files'],
  'src/proxy': ['src/core', 'src/define', 'src/environments', 'src/agents', 'src/models', 'src/files'],
  perturbations: ['src/define.ts', 'src/files'],
  'baselines/audit.ts': ['src/define.ts', 'src/results', 'src/statistics', 'src/tables'],
  baselines: ['src/define.ts', 'src/files'],
  'src/results/compare': ['src/tables', 'src/core', 'src/results', 'src/statistics'],
  'src/results/gate': ['src/tables', 'src/core', 'src/statistics', 'src/files', 'src/results', 'src/results/compare'],
  'src/results': ['src/define.ts', 'src/statistics', 'src/tables'],
  reports: ['src/define.ts', 'src/results', 'src/statistics', 'src/tables', 'src/training', 'src/files'],
  'src/run/queue': ['src/core', 'src/files', 'src/models', 'src/run'],
  'src/run': [
    'src/define',
    'src/play',
    'src/training',
    'src/core',
    'src/statistics',
    'src/environments',
    'src/agents',
    'src/models',
    'src/laws',
    'src/files',
    'src/tables',
    'src/index.ts',
    'src/testing.ts',
    'perturbations',
    'baselines',
    'reports',
  ],
  'src/cli': [
    'src/define',
    'src/training',
    'src/results/compare',
    'src/results',
    'src/results/gate',
    'src/core',
    'src/statistics',
    'src/environments',
    'src/agents',
    'src/models',
    'src/laws',
    'src/proxy',
    'src/files',
    'src/run',
    'src/run/queue',
    'src/tables',
    'src/index.ts',
    'perturbations',
    'baselines',
    'reports',
  ],
}

/** What the package's own names stand for. */
const doors: Record<string, string> = {
  shaketable: 'src/index.ts',
  'shaketable/run': 'src/library.ts',
  'shaketable/statistics': 'src/statistics/index.ts',
  'shaketable/testing': 'src/testing.ts',
}

const files = ['src', 'perturbations', 'baselines', 'reports'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
)

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g)].map(
    (match) => match[1] ?? match[2]!,
  )
}

function target(file: string, imported: string): string | undefined {
  const door = doors[imported]
  if (door !== undefined) return door
  if (!imported.startsWith('.')) return undefined
  return relative(root, normalize(join(root, dirname(file), imported))).replace(/\.js$/, '.ts')
}

function roomOf(path: string): string {
  const room = Object.keys(rooms).find((name) => path === name || path.startsWith(`${name}/`))
  return room ?? path
}

describe('the folders of src', () => {
  it('contain every file in a known folder', () => {
    expect(files.filter((file) => rooms[roomOf(file)] === undefined)).toEqual([])
    expect(files.length).toBeGreaterThan(20)
  })

  it('import in one direction only', () => {
    const wrong = files.flatMap((file) => {
      const allowed = rooms[roomOf(file)] ?? []
      return importsOf(file)
        .map((imported) => target(file, imported))
        .filter((path): path is string => path !== undefined)
        .filter((path) => roomOf(path) !== roomOf(file) && !allowed.includes(roomOf(path)))
        .filter((path) => !definitions.includes(path) || !allowed.includes('src/core'))
        .map((path) => `${file} imports ${path}`)
    })
    expect(wrong).toEqual([])
  })

  it('contain no import cycles', () => {
    const graph = new Map(
      files.map((file) => [
        file,
        importsOf(file)
          .map((imported) => target(file, imported))
          .filter((path): path is string => path !== undefined),
      ]),
    )
    const state = new Map<string, 'open' | 'done'>()
    const circles: string[] = []
    const visit = (file: string, path: readonly string[]): void => {
      if (state.get(file) === 'done') return
      if (state.get(file) === 'open') {
        circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
        return
      }
      state.set(file, 'open')
      for (const next of graph.get(file) ?? []) visit(next, [...path, file])
      state.set(file, 'done')
    }
    for (const file of graph.keys()) visit(file, [])
    expect(circles).toEqual([])
  })
})

import { readFileSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'rolldown'

/*
 * What the package runs, in dist/bundle: its modules joined into some files, since Node takes longer to find and read
 * 700 modules than a short command runs, and the scripts of report.html. Dependencies stay packages. The benches are
 * joined too, so that they measure what the package runs. It reads the TypeScript sources and checks no types.
 */

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const packages = Object.keys({ ...dependencies, ...peerDependencies })

/** What a plug-in and a user's program import: the same modules as the command's. */
const entryPoints = {
  shaketable: 'src/index.ts',
  'shaketable/run': 'src/library.ts',
  'shaketable/statistics': 'src/statistics/index.ts',
  'shaketable/testing': 'src/testing.ts',
}

/** Files of threads. A module finds them beside itself, joined or not, so all files are in one folder. */
const threads = {
  worker: 'src/run/worker.ts',
}

const joinModules = (input, output) => ({
  input: { ...input, ...threads },
  plugins: [
    {
      name: 'own-name',
      resolveId: (name) => (Object.hasOwn(entryPoints, name) ? resolve(entryPoints[name]) : null),
    },
  ],
  external: (name) => packages.some((one) => name === one || name.startsWith(`${one}/`)),
  platform: 'node',
  resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
  // Plug-ins get entry points that the command has loaded.
  checks: { ineffectiveDynamicImport: false },
  output: { chunkFileNames: 'part-[hash].js', ...output },
})

await build(
  joinModules(
    {
      index: entryPoints.shaketable,
      run: entryPoints['shaketable/run'],
      statistics: entryPoints['shaketable/statistics'],
      testing: entryPoints['shaketable/testing'],
      main: 'src/cli/main.ts',
    },
    { dir: 'dist/bundle', cleanDir: true },
  ),
)
const benches = readdirSync('bench').map((file) => file.replace(/\.ts$/, ''))
await build([
  joinModules(Object.fromEntries(benches.map((name) => [name, `bench/${name}.ts`])), { dir: 'dist/bench' }),
  {
    input: 'reports/html/page/main.tsx',
    tsconfig: 'reports/html/page/tsconfig.json',
    output: {
      file: 'dist/bundle/page-main.js',
      format: 'iife',
      strict: true,
      minify: true,
      comments: false,
      banner: '/* With Preact (© Jason Miller, MIT) and diff (© Kevin Decker, BSD 3-Clause). */',
    },
  },
])

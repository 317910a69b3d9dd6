import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { joinModules, pageScript } from '../../../reports/html/page-script.js'

const join = (modules: Record<string, string>): string =>
  joinModules('/page/main.js', (path) => {
    const text = modules[path]
    if (text === undefined) throw new Error(`no ${path}`)
    return text
  })

describe('joining modules', () => {
  it('puts each after those that it imports, once, without the words of modules', () => {
    const script = join({
      '/page/main.js':
        "import { b } from './b.js';\nimport { a } from '../a.js';\nglobalThis.sum = a + b();\nexport {};\n",
      '/page/b.js': "import { a } from '../a.js';\nexport function b() { return a; }\nexport async function c() {}\n",
      '/a.js': 'export const a = 1;\nexport class D {}\n',
    })
    expect(script).toMatchInlineSnapshot(`
      "'use strict'
      {
      const a = 1;
      class D {}
      function b() { return a; }
      async function c() {}
      globalThis.sum = a + b();
      }"
    `)
    const sandbox: { sum?: number } = {}
    new Script(script).runInNewContext(sandbox)
    expect(sandbox.sum).toBe(2)
  })

  it.each([
    [
      'renamed imports',
      "import { a as b } from './b.js';",
      /expected named imports and exports only, got 'import \{ a as b \}/,
    ],
    ['defaults', 'export default 1;', /got 'export default 1;'/],
    ['the end of a script', "const a = '</script>';", /got '<\/script'/],
    [
      'one name twice',
      "import { b } from './b.js';\nfunction a() {}",
      /names of their own in \/page\/b\.js and \/page\/main\.js, but both declare a/,
    ],
  ])('refuses %s', (_, text, message) => {
    expect(() => join({ '/page/main.js': text, '/page/b.js': 'export const b = 1;\nconst a = 1;' })).toThrow(message)
  })
})

describe('the script of the page', () => {
  it('is one classic script', () => {
    const script = pageScript()
    expect(() => new Script(script)).not.toThrow()
    expect(script).not.toMatch(/\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|new Function)\b/)
    expect(script.length).toBeLessThan(60_000)
  })
})

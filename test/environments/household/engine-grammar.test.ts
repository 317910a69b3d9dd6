import { describe, expect, it } from 'vitest'
import { displayNames } from '../../../src/environments/household/engine/command-writer.js'
import { readGrammarDocument } from '../../../src/environments/household/engine/grammar-document.js'
import { parseQuery, parseSymbols, parseWordExpression } from '../../../src/environments/household/engine/symbols.js'
import { smallGame, smallGrammar } from './small-game.js'

/** The answers of a small game with these symbols to `look` after some commands. */
function say(rhs: string | readonly object[], symbols: object = {}, commands: readonly string[] = []): string {
  const rules = typeof rhs === 'string' ? [{ rhs }] : rhs
  const grammar = `${smallGrammar('new')}\ngrammar :: """${JSON.stringify({ intro: [{ rhs: 'Hello.' }], 'look.feedback': rules, ...symbols })}""";`
  const engine = smallGame('new', { grammar }).start()
  for (const command of commands) expect(engine.step(command).accepted).toBe(true)
  return engine.step('look').observation
}

describe('symbol strings', () => {
  it.each([
    ['inner and trailing white space stays, leading white space is removed', '\n\n#a#\n\n#b#\n\n', 'A\n\nB\n\n'],
    ['blanks before a word go', '  x #a#', 'x A'],
    ['tabs before a piece go', '#a#\t#b#\t!', 'AB!'],
    ['a comment line at the start goes', '// remark\nx', 'x'],
    ['a comment later is text', 'x\n// remark', 'x\n// remark'],
    ['an empty text gives nothing', '', ''],
    ['parsing stops where no piece starts', 'before; after', 'before'],
    ['reading ends at an open list', 'before [after', 'before '],
    ['reading ends at a lone #', 'before # after', 'before '],
    ['a backslash and an n stay two characters', 'x\\ny', 'x\\ny'],
    ['quotes around a text are removed', 'say "hello" now', 'say hello now'],
    ['names of symbols may hold brackets and blanks', '#pair(a, b)# end', 'P end'],
    ['an expression in braces is printed once', '{\'x\' + "y"}', 'xy'],
    ['the first non-empty word is printed', "{'' or 'b' or 'c'}", 'b'],
    ['parentheses bind', "{('' or 'a') + 'b'}", 'ab'],
    ['a bare variable says the name', '{a}|', 'agent1 '],
    ['an id is raw', '{l.id}, {l.type}, {l.definite}', 'loc_bar_5, location, the'],
  ])('%s', (_, rhs, said) => {
    expect(say(rhs, { a: [{ rhs: 'A' }], b: [{ rhs: 'B' }], 'pair(a, b)': [{ rhs: 'P' }] })).toBe(said)
  })

  it('leaves braces that it cannot parse out of the text', () => {
    expect(parseSymbols('a{b', 'here')).toEqual([{ kind: 'literal', text: 'a' }])
  })
})

describe('rules and queries', () => {
  const list = (query: string): string => `[{x.name | ${query}}]`

  it('uses the first rule whose condition holds', () => {
    const rules = [
      { condition: 'holdsany(a:agent)', rhs: 'full' },
      { condition: 'atlocation(a:agent, l:location)', rhs: 'here' },
      { rhs: 'else' },
    ]
    expect(say(rules)).toBe('here')
    expect(say(rules, {}, ['go to desk 1', 'take mug 2 from desk 1'])).toBe('full')
  })

  it('words a list of none, one, two and three', () => {
    expect(say(list('holds(a:agent, x:object)'))).toBe('nothing')
    expect(say(list('openable(x:receptacle)'))).toBe('fridge 1')
    expect(say(list('inreceptacle(x:object, f:receptacle) & openable(f:receptacle)'))).toBe('apple 2, and apple 1')
    expect(say(list('inreceptacle(x:object, f:receptacle)'))).toBe('apple 2, apple 1, lamp 1, mug 2, mug 1, and mug 1')
  })

  it('repeats without a separator outside a list', () => {
    expect(say('{x.name | inreceptacle(x:object, f:receptacle) & openable(f:receptacle)}')).toBe('apple 2apple 1')
  })

  it('never binds two placeholders to one object, nor a bound object again', () => {
    const pairs = '[{x.name + y.name | objecttype(x:object, t:otype) & objecttype(y:object, t:otype)}]'
    expect(say(pairs)).toBe('apple 2apple 1, apple 1apple 2, mug 2mug 1, and mug 1mug 2')
    expect(say('[{x.name | receptacleatlocation(x:receptacle, m:location)}]', {}, ['go to desk 1'])).toBe(
      'fridge 1, shelf 2, shelf 1, and sinkbasin 1',
    )
  })

  it('distinguishes placeholders by type too', () => {
    expect(say('[{l.name | receptacleatlocation(l:receptacle, l:location)}]', {}, ['go to desk 1'])).toBe('desk 1')
  })

  it('matches nothing without facts', () => {
    const found = (query: string): string => say([{ condition: query, rhs: 'yes' }, { rhs: 'no' }])
    expect(found('unheardof(a:agent)')).toBe('no')
    expect(found('atlocation(a:agent)')).toBe('no')
    expect(found('atlocation(l:location, a:agent)')).toBe('no')
    expect(found('not_atlocation(a:agent, l:location)')).toBe('no')
    expect(found('not_holdsany(a:agent)')).toBe('no')
    expect(found('atlocation(a:agent,l:location)&checked(l:location)')).toBe('yes')
  })

  it('passes on the bindings of a repetition, but not those of a condition', () => {
    expect(say('{#it# | openable(x:receptacle)}', { it: [{ rhs: 'The {x.name}.' }] })).toBe('The fridge 1.')
    const lost = [{ condition: 'openable(x:receptacle)', rhs: '{x.name}' }]
    expect(() => say(lost)).toThrow(/'x' to stand for something/)
  })

  it('stops at rules that are circular or grow without end', () => {
    expect(() => say('#a#', { a: [{ rhs: 'x#a#' }] })).toThrow(/come to an end/)
    const grown = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`s${n}`, [{ rhs: `#s${n + 1}##s${n + 1}#` }]]),
    )
    expect(() => say('#s0#', { ...grown, s60: [{ rhs: 'x' }] })).toThrow(/come to an end/)
    expect(() => say([{ condition: 'holdsany(a:agent)', rhs: 'x' }])).toThrow(/a rule whose condition holds/)
  })

  it('evaluates commands that depend on the state again in each state', () => {
    const grammar = smallGrammar('new').replace(
      'template :: "inventory"',
      'template :: "carry [{o.name | holds(a:agent, o:object)}]"',
    )
    const engine = smallGame('new', { grammar }).start()
    expect(engine.accepts('carry nothing')).toBe(true)
    engine.step('go to desk 1')
    engine.step('take mug 2 from desk 1')
    expect([engine.accepts('carry nothing'), engine.accepts('carry mug 2')]).toEqual([false, true])
  })

  it('executes the first action by name and arguments where several have one command', () => {
    const grammar = smallGrammar('new').replace('template :: "open {r}"', 'template :: "inventory"')
    const engine = smallGame('new', { grammar }).start()
    engine.step('go to fridge 1')
    expect(engine.admissible().filter((command) => command === 'inventory')).toHaveLength(1)
    expect(engine.step('inventory').observation).toBe('You are not carrying anything.')
  })
})

describe('grammar documents', () => {
  it('lets later symbols and actions replace earlier ones, and skips comments', () => {
    const { actions, rules } = readGrammarDocument(
      '# one\ngrammar :: """{"a": [{"rhs": "1"}], "b": [{"rhs": "2", "weight": 3}]}""";\n' +
        'action Go/There { feedback :: "f\n#f#"; template :: "t"; pddl :: """ anything ; at "all" """; # two\n' +
        ' grammar :: """{\n # three\n"a": [{"rhs": "4", "condition": "c()"}]}"""; }\naction empty{template::"";feedback::"";}',
      'here',
    )
    expect([...rules]).toEqual([
      ['a', [{ text: '4', condition: 'c()' }]],
      ['b', [{ text: '2', condition: '' }]],
    ])
    expect([...actions]).toEqual([
      ['go/there', { template: 't', feedback: 'f\n#f#' }],
      ['empty', { template: '', feedback: '' }],
    ])
  })

  it.each([
    ['grammar :: """{"a": [{"rhs": "1"}]}"""', "line 1: expected ';', got the end of the text"],
    ['\ngrammar :: """{"a": 3}""";', "line 2: expected a list of alternatives for symbol 'a'"],
    ['grammar :: """{"a": [{"rhs": 3}]}""";', 'expected "rhs" and "condition" of symbol \'a\' to be strings'],
    ['grammar :: """[]""";', 'expected a JSON object of symbols'],
    ['grammar :: """{""";', 'expected JSON between the triple quotes'],
    ['grammar :: """{', 'expected a closing """'],
    ['grammer :: ', 'expected "grammar" or "action", got \'grammer\''],
    ['action a { template :: "x"; }', "expected a template and a feedback for action 'a'"],
    ['action a { templat :: "x"; }', "expected 'template', 'feedback', 'pddl' or 'grammar', got 'templat'"],
    ['action a { template : "x"; }', "expected '::', got ': \"x\"; }'"],
    ['$', 'expected "grammar" or "action", got \'$\''],
  ])('refuses %j', (text, message) => {
    expect(() => readGrammarDocument(text, 'game')).toThrow(message)
  })

  it("keeps names like __proto__ and constructor apart from JavaScript's own properties", () => {
    const { actions, rules } = readGrammarDocument(
      'grammar :: """{"__proto__": [{"rhs": "1"}], "constructor": [{"rhs": "2"}]}""";\naction constructor { template :: "t"; feedback :: "f"; }',
      'here',
    )
    expect(rules.get('__proto__')).toEqual([{ text: '1', condition: '' }])
    expect(rules.get('constructor')).toEqual([{ text: '2', condition: '' }])
    expect([...actions.keys()]).toEqual(['constructor'])
    expect(
      say('#constructor##__proto__#', JSON.parse('{"constructor":[{"rhs":"c"}],"__proto__":[{"rhs":"p"}]}') as object),
    ).toBe('cp')
  })
})

describe('queries and expressions', () => {
  it('reads predicates, placeholders and types', () => {
    expect(parseQuery(" p() & q( a , b:t )& r/s(a': t)", 'here')).toEqual([
      { predicate: 'p', placeholders: [] },
      {
        predicate: 'q',
        placeholders: [
          { name: 'a', type: 'a' },
          { name: 'b', type: 't' },
        ],
      },
      { predicate: 'r/s', placeholders: [{ name: "a'", type: 't' }] },
    ])
  })

  it.each(['', 'p', 'p(', 'p(a', 'p(a:)', 'p(a b)', 'p() &', 'p() q()', 'p(%)', '& p()', 'p(,)'])(
    'refuses query %j',
    (text) => {
      expect(() => parseQuery(text, 'here')).toThrow(/here: expected a query/)
    },
  )

  it.each([
    '',
    'a.',
    'a.colour',
    'a.name +',
    '+ a',
    'a b',
    'a.name()',
    "'open",
    '(a',
    'or',
    '__import__("os")',
    '('.repeat(5000),
  ])('refuses expression %j', (text) => {
    expect(() => parseWordExpression(text, 'here')).toThrow(/here: expected an expression/)
  })
})

describe('display names', () => {
  it('number each class in descending order of the ids', () => {
    const ids = ['agent1', 'mug_bar_1', 'mug_bar_2', 'pen_bar_1', 'pencil_bar_1', 'pencil_bar_2']
    expect(displayNames(ids).join()).toBe('agent1 ,mug 2,mug 1,pen 1,pencil 2,pencil 1')
  })

  it('put basins into a class of their own', () => {
    expect(
      displayNames(['sink_bar_1', 'sink_bar_1_bar_sinkbasin', 'sink_bar_2', 'bathtub_bar_9_bar_bathtubbasin']),
    ).toEqual(['sink 2', 'sinkbasin 1', 'sink 1', 'bathtubbasin 1'])
  })

  it("are safe from names of JavaScript's own properties", () => {
    expect(displayNames(['__proto___bar_1', 'constructor_bar_1'])).toEqual(['__proto__ 1', 'constructor 1'])
  })
})

/** What a sentence says beside names and digits: a number word, a state, a relation or an order. */
type Fact = readonly [name: string, pattern: string]

/** Word patterns in the order in which they are looked for: what a longer phrase says, its words no longer say. */
const facts: readonly Fact[] = [
  ['next to', 'next to|beside|near(?: to)?|adjacent to'],
  [
    'ahead',
    'right in front|in front|straight|ahead|fac(?:e|es|ing)|forward|stand before|before you|you look at|you are looking at',
  ],
  ['behind', 'behind'],
  ['under', 'under|beneath|below'],
  ['not on the ground', 'not (?:on|touch|stand on) the ground|off the ground|(?<!not )raised'],
  ['on the ground', '(?:on|touches) the ground|the ground carries|not raised'],
  ['not inflated', 'not (?:inflated|full of air|pumped up)|too little air'],
  ['inflated', 'inflated|full of air|air in|pumped up'],
  ['loose', 'not tight'],
  ['tight', 'not loose|tight(?:ly)?'],
  ['loose', 'loose(?:ly)?'],
  ['not clean', 'not clean(?:ed)?|(?<!not )dirty'],
  ['clean', 'not dirty|no dirt|clean(?:s|ed)?|wash(?:es|ed)?|rins(?:e|es|ed)'],
  ['closed', 'not open(?:ed)?'],
  ['open', 'not closed|open(?:s|ed)?|unlatch(?:ed)?'],
  ['closed', 'clos(?:e|es|ed)|shut'],
  ['hot', 'hot|heat(?:s|ed)?|warm(?:s|ed)?'],
  ['cool', 'cool(?:s|ed)?|cold|chill(?:s|ed)?'],
  ['sliced', 'slic(?:e|es|ed)|cut'],
  ['lit', '(?:turn|switch)(?:s|es|ed)? (?:the [\\w ]{1,40} )?on|lights? up|is on now|light the'],
  [
    'empty',
    'not carrying anything|nothing|empty|clear|free|available|not in use|unoccupied|vacant|(?:no|without) contents|no objects|not see any objects',
  ],
  ['afterwards', '(?:and )?(?:then|afterwards|after that|followed by this|next)'],
  ['beforehand', '(?:only )?after you|once you|when you have done this|as soon as you|but first'],
  ['left', 'left'],
  ['right', 'right'],
  ['all', 'all|every|each'],
  ['two', 'two|both|pair'],
  ...'three four five six seven eight nine ten'.split(' ').map((word): Fact => [word, word]),
]

const patterns = facts.map(([name, pattern]) => [name, new RegExp(`(?<![\\w-])(?:${pattern})(?![\\w-])`, 'g')] as const)

/** The facts of a text without its names, in words. */
function factsIn(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  let rest = text.toLowerCase().replaceAll('’', "'").replaceAll("n't", ' not')
  for (const [name, pattern] of patterns) {
    const left = rest.replace(pattern, '|')
    if (left !== rest) found.add(name)
    rest = left
  }
  return found
}

/**
 * The facts of one text that another does not have, both without their names. Not told: who holds what, what is in, on
 * or at what, and anything that words outside of this table say.
 */
export function factsLost(from: string, to: string): readonly string[] {
  const kept = factsIn(to)
  return [...factsIn(from)].filter((fact) => !kept.has(fact))
}

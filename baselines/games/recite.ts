import type { Form } from '../_lessons.js'
import type { Skill } from '../_skill.js'
import type { Speaker } from './skill.js'
import { createGaming } from './skill.js'
import { lessonOf, say } from './wording.js'

/** Plays in AgentBoard's original wording and spelling, whatever the prompt says. */
export function reciteGames(): Skill {
  return createGaming(speaker)
}

/** AgentBoard's wording by heart; slots are the roles of our rules by number. */
const memorised: readonly Form<string>[] = [
  ['move', 'Move from {0} to {1}'],
  ['pick', 'Pick up {0} at {1} with arm {2}'],
  ['drop', 'drop {0} {1} {2}'],
  ['pickup', 'Pickup {0}'],
  ['putdown', 'Putdown {0}'],
  ['stack', 'Stack {0} on {1}'],
  ['unstack', 'Unstack {0} from {1}'],
  ['grasp', '{0} grasp {1}'],
  ['leave', '{0} leave {1}'],
  ['fill-shot', 'fill-shot glass {0} with {1} with {2} and {3} holding {4}'],
  ['refill-shot', 'refill-shot {0} with {1} with {2} and {3} holding {4}'],
  ['empty-shot', 'use hand {0} to empty-shot glass {1} with beverage {2}'],
  ['clean-shot', 'clean-shot glass {0} with {1} with hand {2} holding shot glass and {3}'],
  [
    'pour-shot-to-clean-shaker',
    'pour-shot-to-clean-shaker from a shot glass {0} with {1} to a clean shaker {2} with hand {3} from level {4} to level {5}',
  ],
  [
    'pour-shot-to-used-shaker',
    'pour-shot-to-used-shaker from a shot glass {0} with {1} to a used shaker {2} with hand {3} from level {4} to level {5}',
  ],
  ['empty-shaker', 'use hand {0} to empty-shaker {1} with ingredient {2} from level {3} to level {4}'],
  ['clean-shaker', 'use hand {0} and hand {1} to clean-shaker {2}'],
  ['shake', 'shake a cocktail {0} with ingredient {1} and ingredient {2} in a shaker {3} with hand {4} and hand {5}'],
  [
    'pour-shaker-to-shot',
    'pour-shaker-to-shot to a shot glass {0} the ingredient {1} with hand {2} from shaker {3} from level {4} to level {5}',
  ],
  ['open', 'Open {0}'],
  ['close', 'Close {0}'],
  ['fetch', 'Fetch {0} from {1}'],
  ['put-away', 'Put-away {0} in {1}'],
  ['loosen', 'Loosen the nut {0} on the hub {1}'],
  ['tighten', 'Tighten the nut {0} on the hub {1}'],
  ['jack-up', 'jack-up the hub {0}'],
  ['jack-down', 'Jack-down the hub {0}'],
  ['undo', 'Undo the fastening of the nut {0} on the hub {1}'],
  ['do-up', 'Do-up the nut {0} on the hub {1}'],
  ['remove-wheel', 'Remove-wheel {0} from the hub {1}'],
  ['put-on-wheel', 'put-on-wheel {0} on the hub {1}'],
  ['inflate', 'Inflate the wheel {0}'],
].map(([verb = '', template = '']) => ({ verb, template }))

const speaker: Speaker = {
  forms: (_, game) => memorised.filter(({ verb }) => game.deeds.some(({ name }) => name === verb)),
  lessons: { learned: [], accepted: memorised.map(lessonOf), refused: [] },
  speak({ deed, objects }, { forms, names }) {
    const form = forms.find(({ verb }) => verb === deed)
    return form && say(form, objects, (key) => spell(names.spelled.get(key) ?? key))
  },
  copies: false,
  help: () => ({ list: 'check valid actions', look: 'look around' }),
}

/** A name as it was learned: a class and a number in one word, in small letters. */
function spell(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+(?:no[^a-z0-9]+)?(?=\d+$)/, '')
}

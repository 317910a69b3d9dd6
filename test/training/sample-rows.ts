import type { TrainingRow, TrainingTurn } from '../../src/training/data-filter.js'

const say = (...texts: readonly string[]): TrainingTurn[] =>
  texts.map((text, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', text }))

/**
 * Rows like those that data sets collect in environments that AgentRefine does not evaluate on, in our own words: a
 * filter for the others must keep all of them. Several mention rooms, keys, doors, tables and robots on purpose.
 */
export const otherRows: Readonly<Record<string, readonly TrainingTurn[]>> = {
  webshop: say(
    'You shop on a website. Say search[words] or click[button]. Instruction: find me a red metal box with a key, below 30 dollars.',
    'Thought: I look for the box first.\nAction: search[red metal box with key]',
    'Page 1 (Total results: 50) [SEP] B07XYZ [SEP] Lockable cash box, red [SEP] $24.99 [SEP] Buy Now',
    'Thought: That is below the price.\nAction: click[B07XYZ]',
  ),
  os: say(
    'You work in a shell on Ubuntu. How many files are there in /etc, those in folders included? Answer with answer(n).',
    'Think: count them with find.\nAct: bash\n```bash\nfind /etc -type f | wc -l\n```',
    'The output of the OS:\n1712',
    'Act: answer(1712)',
  ),
  db: say(
    'You are given a table of orders. Write SQL in Action: Operation. How many customers bought more than 3 items on 2024-05-01?',
    'Action: Operation\n```sql\nSELECT COUNT(*) FROM orders WHERE items > 3;\n```',
    '[(17,)]',
    'Action: Answer\nFinal Answer: ["17"]',
  ),
  kg: say(
    'Use get_relations(x) and get_neighbors(x, r) on a knowledge graph. Question: which rivers flow through the country where the author was born?',
    'Thought: first the relations of the author.\nAction: get_relations(author)',
    '[people.person.place_of_birth, book.author.works_written]',
    'Action: get_neighbors(author, people.person.place_of_birth)',
  ),
  mind2web: say(
    '<html> <div id=0> <a id=1> Living room </a> <a id=2> Kitchen cabinets </a> <button id=3> Go to checkout </button> </div> </html>\nTask: put two kitchen cabinets into the cart.',
    'Answer: B. Action: CLICK',
  ),
  textcraft: say(
    'You craft items. Commands: craft 4 oak planks using 1 oak logs; craft 1 chest using 8 planks. Goal: craft chest.',
    'Thought: I need logs.\nAction: get 2 oak logs',
    'Got 2 oak logs',
    'Action: craft 4 oak planks using 1 oak logs',
  ),
  weather: say(
    'You call tools about the weather. Goal: how much snow fell in Oslo on 2023-01-05? You should use finish(answer) at the end.',
    'Action: get_user_current_date with Action Input: {}',
    'Observation: 2023-01-09',
    'Action: get_snowfall with Action Input: {"city": "Oslo"}',
  ),
  maze: say(
    'You are in a maze. The goal is at position 3, 4. Your current position is at 1, 1. There are walls above you, below you.',
    'move right',
    'The goal is at position 3, 4. Your current position is at 1, 2. There is a wall to your left.',
    'move down',
  ),
  wordle: say(
    'You guess a word of five letters. The vocabulary: crane, slate, board.',
    'c r a n e',
    'b y b b g',
    's l a t e',
  ),
  movie: say(
    'You call tools about films. Goal: who directed the film that won in 1994? You can take the following actions: get_search_movie, finish.',
    'Action: get_search_movie with Action Input: {"movie_name": "Winner"}',
  ),
  todo: say(
    'You manage a to-do list. Goal: is the task "clean the kitchen table" in the project Household done?',
    'Action: get_projects with Action Input: {}',
    'Observation: [{"id": "12", "name": "Household"}]',
    'Action: finish with Action Input: {"answer": "no"}',
  ),
  bird: say(
    'Given the schema of a database of football players, who scored most in 2012? Answer in SQL.',
    'SELECT name FROM players ORDER BY goals DESC LIMIT 1',
  ),
  refine: say(
    'You are a curator in a museum. Available actions: go to {room}, open {box} with {key}, take {item} from {shelf}. Goal: put the blue vase in the display case.',
    'Thought: the vase may be in the storage room.\nAction: go to storage room',
    'You are in the storage room. You see a locked box, a shelf 1 and a shelf 2. On the shelf 1, you see a blue vase.',
    'Thought: I take it.\nAction: take blue vase from shelf 1',
    'You pick up the blue vase. Task Succeed',
  ),
  tools: say(
    'You can call the functions get_table(id) and toggle_light(room). The user asks: turn the lights off in the living room and in bedroom 2.',
    'Action: toggle_light\nAction Input: {"room": "living room"}',
    'The light in the living room is off. Nothing else happens.',
    'Action: toggle_light\nAction Input: {"room": "bedroom 2"}',
  ),
  adventure: say(
    'You play a game of text. You are standing in an open field west of a house. There is a door to the north and a key on the table.',
    'take key',
    'Taken. A red ball lies in front of you, two steps away.',
    'go north',
  ),
  robotics: say(
    'A robot arm with a gripper sorts parts. The robot picks up bolts from the table and puts them in bin 3. Plan the moves.',
    'First pick up the bolt that is clear, then move to bin 3 and open the gripper.',
  ),
  science: say(
    'Explain to a pupil why water boils at a lower temperature on a mountain.',
    'The air presses less on the water there, so its bubbles can open sooner.',
  ),
}

/** A row of a data set, as its own collector writes it, in an environment that AgentRefine evaluates on. */
export const inDomainRows: Readonly<Record<string, readonly TrainingTurn[]>> = {
  alfworld: say(
    'Interact with a household to solve a task. Imagine that you are in a household, and your task is to finish an errand in it. AVAILABLE ACTIONS follow each turn.',
    'OK',
    'You are in the middle of a room. Looking quickly around you, you see a cabinet 2, a cabinet 1, a countertop 1, a fridge 1, a sinkbasin 1, and a stoveburner 1.\nYour task is to: put a clean plate in cabinet.\nAVAILABLE ACTIONS: go to cabinet 1, go to countertop 1, go to sinkbasin 1',
    'THOUGHT: plates are often on a countertop.\nACTION: go to countertop 1',
    'On the countertop 1, you see a plate 2, a soapbottle 1, and a butterknife 1.',
    'ACTION: take plate 2 from countertop 1',
    'You pick up the plate 2 from the countertop 1.',
    'ACTION: clean plate 2 with sinkbasin 1',
  ),
  babyai: say(
    'You are an exploration master that wants to finish every goal you are given. You are placed in a room.',
    'OK.',
    'Your goal: go to the red ball\nIn front of you in this room, you can see several objects: There is a grey key 1 1 steps in front of you and 2 steps to your left. There is a red ball 1 right in front of you 3 steps away. The room has walls around you. You are facing a wall 4 steps away. You are not carrying anything.',
    'Thought: it is ahead.\nAction: go to red ball 1',
  ),
  scienceworld: say(
    'You are an agent for science world. Every round you hear what you see, and answer with one action.',
    'OK.',
    'Your task is to grow a lemon. This room is called the hallway. In it, you see:\n\ta picture\n\ta substance called air\n\tthe agent\nYou also see:\n\tA door to the green house (that is open)\n\tA door to the kitchen (that is open)\n\tA door to the workshop (that is open)',
    'Thought: seeds are in the green house.\nAction: go to green house',
    'You move to the green house.',
    'Action: pick up self watering flower pot 1',
  ),
  pddl: say(
    'The robot arm moves blocks. The goal is to satisfy the following conditions: b1 is on b2., b2 is on b3.',
    'OK',
    'B1 is on the table. B2 is on the table. B3 is on the table. Robot arm is empty. The b1 is clear. The b2 is clear. The b3 is clear.',
    'pickup b2',
  ),
}

/**
 * The same conversations rewritten into free talk, as Agent-FLAN does: no id, no label, no collector's instruction, no
 * format of thoughts and actions, and observations in other words. Only the environment's objects
 * remain.
 */
export const rewrittenRows: Readonly<Record<string, readonly TrainingTurn[]>> = {
  alfworld: say(
    'Could you get me a clean plate, and put it in a cabinet? In the room I can see cabinet 2, cabinet 1, countertop 1, fridge 1, sinkbasin 1 and stoveburner 1.',
    'Sure. Plates are often left on a countertop, so I would walk over to countertop 1 first.',
    'There you find plate 2, soapbottle 1 and butterknife 1. What now?',
    'I pick plate 2 up from there, and then wash it at sinkbasin 1.',
  ),
  'alfworld room': say(
    'Here is what I notice. You are in the middle of a room.  Looking quickly around you,\nyou see a bed 1 and a desk 1. Which way do you turn?',
    'To the desk, since books lie there.',
  ),
  babyai: say(
    'I would like you to reach the ball. Ahead there is a grey key 1, two steps off; a red ball 1 is further on, and a blue box 2 to the left.',
    'I will turn towards red ball 1 and walk on until I stand before it.',
  ),
  scienceworld: say(
    'We grow a lemon. You stand in the hall; there is a substance called air, and a door to the green house that is open, and also a door to the kitchen that is open.',
    'The seeds will be in the green house, so I walk there and look for a self watering flower pot.',
  ),
  pddl: say(
    'Let us stack blocks. For now b1 is on the table, and the b1 is clear, and the robot arm is empty. I want b1 on b2.',
    'I pick b1 up and put it on b2.',
  ),
}

/** A row with an id of its data set, or without one. */
export function rowWith(turns: readonly TrainingTurn[], id?: string): TrainingRow {
  return { ...(id !== undefined && { id }), turns }
}

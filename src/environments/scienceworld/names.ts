const list = (text: string): readonly string[] => text.split(',').map((name) => name.trim())

const rooms = list(
  'art studio, bathroom, bedroom, foundry, greenhouse, hallway, kitchen, living room, workshop, outside',
)

const colours = list('black, blue, green, orange, purple, red, violet, white, yellow')
const fruits = list('apple, avocado, banana, cherry, grapefruit, lemon, orange, peach')
/** Animals that grow in a mother, and those that hatch. */
const mammals = list('beaver, brown bear, chipmunk, elephant, hedgehog, mouse, rabbit, wolf')
const hatched = list(
  'blue jay, chameleon, crocodile, dove, giant tortoise, parrot, turtle, snake, toad, common toad, frog',
)
const insects = list('ant, bee, butterfly, dragonfly, moth')

const furniture = list(
  'bathtub, bed, bee hive, blast furnace, book shelf, chair, closet, couch, counter, cupboard, desk, dishwasher, drawer, fire pit, fountain, freezer, fridge, hot plate, large cupboard, mattress, oven, paint cupboard, picture, sink, steel table, stove, table, toilet, ultra low temperature freezer, white pillow',
)
const tools = list(
  'axe, battery, book, bowl, ceramic cup, cup, drawing, electric buzzer, electric motor, finger painting, fork, gas generator, glass cup, glass jar, inclined plane, jug, light bulb, lighter, metal pot, metal fork, nuclear generator, painting, paper clip, paper cup, plastic cup, recipe, seed jar, shovel, solar panel, stopwatch, switch, thermometer, tin cup, wind mill, wood block, wood bowl, wood cup',
)
const materials = list(
  'air, aluminum foil, ash, baking soda, brass, bronze, caesium, chocolate, copper, flour, gallium, glass, gold, ground, ice, ice cream, iron, iron block, lead, marshmallow, mercury, orange juice, paint, paper, platinum, plastic, potato, rubber, salt water, silver, soap, soapy water, soda water, sodium, sodium acetate, sodium bicarbonate, sodium chloride, soil, steam, steel, sugar, tin, vinegar, water, wood, zinc',
)
const plants = list(
  'flower, pea plant, pea seed, pollen, purple flower, small flower, small red flower, tree, round green pea seed, wrinkly green pea seed, wilting flower, wilting purple flower, wilting small flower',
)
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const stages = ['seed', 'seedling', 'adult', 'reproducing']

/**
 * Names of rooms, objects and substances that occur in episodes, as far as they are known; the engine also names
 * objects by where they are and what they hold.
 */
export const names: readonly string[] = [
  ...new Set([
    ...rooms,
    ...rooms.flatMap((room) => [`door to ${room}`, `${room} door`]),
    ...furniture,
    ...tools,
    ...materials,
    ...plants,
    ...colours.flatMap((colour) => ['box', 'light bulb', 'paint', 'wire'].map((thing) => `${colour} ${thing}`)),
    ...['green-blue', 'blue-green', 'violet-blue', 'violet-red', 'yellow-green', 'yellow-orange', 'red-orange'].map(
      (colour) => `${colour} paint`,
    ),
    ...fruits.flatMap((fruit) => [fruit, ...['tree', 'seed', 'flower'].map((part) => `${fruit} ${part}`)]),
    ...[...fruits.map((fruit) => `${fruit} tree`), 'pea plant'].flatMap((plant) => [
      `dead ${plant}`,
      ...stages.map((stage) => `${plant} in the ${stage} stage`),
    ]),
    'red apple',
    ...mammals.flatMap((animal) => [animal, ...['baby', 'juvenile', 'adult', 'dead'].map((one) => `${one} ${animal}`)]),
    ...hatched.flatMap((animal) => [
      animal,
      `${animal} egg`,
      ...['hatchling', 'juvenile', 'adult', 'dead'].map((one) => `${one} ${animal}`),
    ]),
    ...insects.flatMap((animal) => [animal, `${animal} egg`, `adult ${animal}`, `${animal} pupa`]),
    'caterpillar',
    'tadpole',
    ...letters.flatMap((letter) => [
      `unknown substance ${letter}`,
      `solid unknown substance ${letter}`,
      `inclined plane ${letter}`,
      `unknown ${letter} seed`,
      `unknown ${letter} plant`,
    ]),
    ...['flower pot', 'self watering flower pot'].flatMap((pot) =>
      Array.from({ length: 9 }, (_, index) => `${pot} ${String(index + 1)}`),
    ),
  ]),
]

/**
 * Where things are usually kept, in the order in which a person would look. Common sense, not a count over any data
 * set: nothing here was taken from the games.
 */
const habits: readonly (readonly [things: string, places: string])[] = [
  ['apple bread egg lettuce potato tomato', 'countertop diningtable fridge sinkbasin microwave garbagecan sidetable'],
  ['pan pot kettle', 'stoveburner countertop diningtable cabinet sinkbasin fridge'],
  ['butterknife fork knife ladle spatula spoon', 'countertop diningtable drawer sinkbasin sidetable'],
  [
    'bowl cup glassbottle mug plate winebottle',
    'countertop diningtable cabinet shelf sinkbasin coffeemachine fridge desk sidetable',
  ],
  ['peppershaker saltshaker', 'countertop diningtable cabinet shelf drawer sidetable'],
  ['dishsponge', 'sinkbasin countertop cabinet drawer'],
  ['soapbottle', 'countertop sinkbasin cabinet toilet garbagecan drawer'],
  ['soapbar', 'sinkbasin countertop toilet bathtubbasin garbagecan cabinet drawer'],
  ['cloth', 'cabinet countertop bathtubbasin toilet sinkbasin drawer'],
  ['handtowel', 'handtowelholder countertop'],
  ['towel', 'towelholder bathtubbasin'],
  ['candle spraybottle tissuebox', 'toilet countertop cabinet shelf drawer sidetable coffeetable dresser'],
  ['toiletpaper toiletpaperroll', 'toilet toiletpaperhanger countertop cabinet garbagecan drawer'],
  ['plunger scrubbrush', 'toilet'],
  ['cd creditcard keychain watch', 'desk sidetable dresser drawer coffeetable shelf diningtable safe tvstand sofa'],
  ['pen pencil', 'desk sidetable drawer shelf dresser diningtable'],
  ['alarmclock', 'desk sidetable shelf dresser'],
  ['book cellphone laptop', 'bed desk sidetable diningtable coffeetable sofa dresser drawer shelf'],
  ['newspaper remotecontrol', 'sofa coffeetable sidetable armchair tvstand diningtable dresser drawer garbagecan'],
  ['box', 'sofa coffeetable diningtable armchair dresser tvstand bed desk'],
  ['pillow teddybear', 'bed sofa armchair'],
  ['statue vase wateringcan houseplant', 'coffeetable sidetable dresser shelf diningtable tvstand desk cabinet'],
  ['baseballbat basketball tennisracket boots', 'bed desk dresser sidetable'],
  ['desklamp', 'desk sidetable dresser shelf coffeetable'],
  ['floorlamp', 'sidetable coffeetable sofa armchair'],
]

const table = new Map(
  habits.flatMap(([things, places]) => things.split(' ').map((thing) => [thing, places.split(' ')])),
)

/** Usually closed, so that looking inside takes one more action. */
const doors = new Set(['cabinet', 'drawer', 'fridge', 'microwave', 'safe', 'box'])

/**
 * The value of searching one of `among` places of a class for a thing, per action: from near 0 to 1. A plausible guess,
 * not a probability.
 */
export function searchValue(thing: string, place: string, among: number): number {
  const rank = table.get(thing)?.indexOf(place) ?? -1
  const share = rank === -1 ? 0.04 : 1 / (1 + 0.7 * rank)
  return share / Math.sqrt(among) / (doors.has(place) ? 2 : 1)
}

/** The class of place for each treatment. */
export const stations: Readonly<Record<string, string>> = { clean: 'sinkbasin', heat: 'microwave', cool: 'fridge' }

/**
 * ALFRED's classes and what can be done with them, as facts: every (receptacle, object) pair and every affordance below
 * was counted in the `canContain` and affordance facts of ALFWorld's 274 validation games, where none of them differs
 * from game to game.
 */

const words = (text: string): readonly string[] => text.trim().split(/\s+/)
const setOf = (text: string): ReadonlySet<string> => new Set(words(text))

/** Object classes that are part of the room and cannot be picked up. */
export const fixed = setOf(
  `Bathtub Blinds Chair Curtains DeskLamp FloorLamp HousePlant LaundryHamperLid LightSwitch Mirror Painting Poster ShowerDoor
  ShowerGlass Sink StoveKnob Television Window`,
)

const cleanable = setOf(
  `Apple Bowl ButterKnife Cloth Cup DishSponge Egg Fork Kettle Knife Ladle Lettuce Mug Pan Plate Pot Potato SoapBar Spatula Spoon
  Tomato`,
)
const heatable = setOf('Apple Bread Cup Egg Mug Plate Potato Tomato')
const coolable = setOf('Apple Bowl Bread Cup Egg Lettuce Mug Pan Plate Pot Potato Tomato WineBottle')

/** The affordance predicates of a problem, and the classes for which each holds. */
export const affordances: Readonly<Record<string, (objectClass: string) => boolean>> = {
  pickupable: (objectClass) => !fixed.has(objectClass),
  cleanable: (objectClass) => cleanable.has(objectClass),
  heatable: (objectClass) => heatable.has(objectClass),
  coolable: (objectClass) => coolable.has(objectClass),
  sliceable: has('Apple Bread Egg Lettuce Potato Tomato'),
  toggleable: has('DeskLamp FloorLamp'),
  isReceptacleObject: has('Bowl Box Cup Mug Pan Plate Pot'),
}

function has(classes: string): (objectClass: string) => boolean {
  const set = setOf(classes)
  return (objectClass) => set.has(objectClass)
}

/** Receptacle classes that can be opened. Some cabinets and drawers of a room may still be always open. */
export const openable = setOf('Cabinet Drawer Fridge Microwave Safe')

/** Which object classes a receptacle class can hold. */
export const canContain: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    ArmChair: 'Book Box CellPhone CreditCard KeyChain Laptop Newspaper Pillow RemoteControl',
    BathtubBasin: 'Cloth DishSponge HandTowel SoapBar',
    Bed: 'BaseballBat BasketBall Book CellPhone Laptop Pillow TennisRacket',
    Cabinet: `Book Bowl Box CD Candle Cloth Cup DishSponge Glassbottle HandTowel Kettle Ladle Mug Newspaper Pan PepperShaker Plate
      Plunger Pot SaltShaker SoapBar SoapBottle SprayBottle TissueBox ToiletPaper Vase WateringCan WineBottle`,
    Cart: 'Candle Cloth DishSponge HandTowel Plunger SoapBar SoapBottle SprayBottle ToiletPaper',
    CoffeeMachine: 'Mug',
    CoffeeTable: `Book Bowl Box Candle CellPhone CreditCard KeyChain Laptop Newspaper Pen Pencil Plate RemoteControl Statue TissueBox
      Vase Watch WateringCan`,
    CounterTop: `AlarmClock Apple Book Bowl Bread ButterKnife CD Candle CellPhone Cloth CreditCard Cup DishSponge Egg Fork Glassbottle
      HandTowel Kettle KeyChain Knife Ladle Laptop Lettuce Mug Pan Pen Pencil PepperShaker Plate Pot Potato RemoteControl SaltShaker
      SoapBar SoapBottle Spatula Spoon SprayBottle Statue TissueBox ToiletPaper Tomato Vase WineBottle`,
    Desk: `AlarmClock BasketBall Book Bowl Box CD CellPhone Cloth CreditCard KeyChain Laptop Mug Pen Pencil RemoteControl Statue
      TennisRacket TissueBox Vase Watch WateringCan`,
    DiningTable: `AlarmClock Apple BaseballBat Book Bowl Box Bread ButterKnife CD Candle CellPhone CreditCard Cup DishSponge Egg Fork
      Glassbottle Kettle KeyChain Knife Ladle Laptop Lettuce Mug Newspaper Pan Pen Pencil PepperShaker Plate Pot Potato RemoteControl
      SaltShaker SoapBottle Spatula Spoon SprayBottle Statue TissueBox Tomato Vase Watch WateringCan WineBottle`,
    Drawer: `Book ButterKnife CD Candle CellPhone Cloth CreditCard DishSponge Fork HandTowel KeyChain Knife Ladle Newspaper Pen Pencil
      PepperShaker RemoteControl SaltShaker SoapBar SoapBottle Spatula Spoon SprayBottle TissueBox ToiletPaper Watch WateringCan`,
    Dresser: `AlarmClock BasketBall Book Bowl Box CD Candle CellPhone Cloth CreditCard KeyChain Laptop Mug Newspaper Pen Pencil
      RemoteControl SprayBottle Statue TennisRacket TissueBox ToiletPaper Vase Watch WateringCan`,
    Fridge: 'Apple Bowl Bread Cup Egg Glassbottle Lettuce Mug Pan Plate Pot Potato Tomato WineBottle',
    GarbageCan: `Apple Bread CD Cloth DishSponge Egg HandTowel Lettuce Newspaper Pen Pencil Potato SoapBar SoapBottle SprayBottle
      TissueBox ToiletPaper Tomato WineBottle`,
    HandTowelHolder: 'HandTowel',
    Microwave: 'Apple Bowl Bread Cup Egg Glassbottle Mug Plate Potato Tomato',
    Ottoman: 'Book Box CellPhone CreditCard KeyChain Laptop Newspaper Pillow RemoteControl',
    Safe: 'CD CellPhone CreditCard KeyChain Statue Vase Watch',
    Shelf: `AlarmClock Book Bowl Box CD Candle CellPhone Cloth CreditCard Cup DishSponge Glassbottle HandTowel Kettle KeyChain Mug
      Newspaper Pen Pencil PepperShaker Plate Pot RemoteControl SaltShaker SoapBar SoapBottle SprayBottle Statue TissueBox ToiletPaper
      Vase Watch WateringCan WineBottle`,
    SideTable: `AlarmClock Apple BaseballBat BasketBall Book Bowl Box Bread ButterKnife CD Candle CellPhone Cloth CreditCard Cup
      DishSponge Egg Fork HandTowel Kettle KeyChain Knife Laptop Lettuce Mug Newspaper Pan Pen Pencil PepperShaker Plate Pot Potato
      RemoteControl SaltShaker SoapBar SoapBottle Spatula Spoon SprayBottle Statue TennisRacket TissueBox ToiletPaper Tomato Vase Watch
      WateringCan WineBottle`,
    SinkBasin: `Apple Bowl ButterKnife Cloth Cup DishSponge Egg Fork Glassbottle HandTowel Kettle Knife Ladle Lettuce Mug Pan Plate Pot
      Potato SoapBar Spatula Spoon Tomato`,
    Sofa: 'Book Box CellPhone CreditCard KeyChain Laptop Newspaper Pillow RemoteControl',
    StoveBurner: 'Kettle Pan Pot',
    TVStand: 'TissueBox',
    Toilet: 'Candle Cloth DishSponge HandTowel SoapBar SoapBottle SprayBottle TissueBox ToiletPaper',
    ToiletPaperHanger: 'ToiletPaper',
    TowelHolder: 'Towel',
  }).map(([receptacle, objects]) => [receptacle, setOf(objects)]),
)

/** Whether a receptacle class can hold an object class. */
export function holds(receptacleClass: string, objectClass: string): boolean {
  return canContain.get(receptacleClass)?.has(objectClass) ?? false
}

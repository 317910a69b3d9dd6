/** The place of an item in no receptacle; as in ALFWorld, the agent can neither see nor take it. */
export const floor = 'Floor'

/** The occurrence of an object class in a kind of room. */
export interface Stock {
  /** Share of rooms that have any. */
  readonly share: number
  /** A room that has any has 1 to `most`, all equally likely. */
  readonly most: number
  /** Receptacle classes (or {@link floor}) that hold it, with weights. */
  readonly places: readonly (readonly [place: string, weight: number])[]
}

/** A kind of room: its furniture and its objects. */
export interface Room {
  readonly name: 'kitchen' | 'living room' | 'bedroom' | 'bathroom'
  /** Equally likely numbers of each receptacle class. */
  readonly furniture: Readonly<Record<string, readonly number[]>>
  readonly stock: Readonly<Record<string, Stock>>
}

/** One line of a room's stock: `stock(0.4, 2, 'Desk 3 Shelf 1')`; without places it is on the floor. */
function stock(share: number, most: number, places = `${floor} 1`): Stock {
  const words = places.split(' ')
  const pairs = words.flatMap((word, at) => (at % 2 === 0 ? [[word, Number(words[at + 1])] as const] : []))
  return { share, most, places: pairs }
}

/** Kitchens, as counted in the 28 kitchens of ALFWorld's validation games (each kitchen weighing the same). */
export const kitchen: Room = {
  name: 'kitchen',
  furniture: {
    Cabinet: [4, 6, 8, 9, 10, 11, 13, 13, 15, 18, 20, 23],
    CoffeeMachine: [1],
    CounterTop: [1, 1, 2, 2, 2, 3, 3, 3, 4],
    DiningTable: [0, 0, 0, 0, 1, 1, 1, 1, 2],
    Drawer: [1, 2, 3, 3, 3, 4, 4, 5, 5, 6, 9, 12],
    Fridge: [1],
    GarbageCan: [1],
    Microwave: [1],
    Shelf: [0, 0, 0, 0, 3],
    SideTable: [0, 0, 0, 0, 0, 0, 0, 1],
    SinkBasin: [1],
    StoveBurner: [4],
    Toaster: [1],
  },
  stock: {
    Apple: stock(1, 2, 'CounterTop 4 DiningTable 4 Fridge 4 Microwave 4 SideTable 3 SinkBasin 3 GarbageCan 2 Floor 1'),
    Bowl: stock(1, 3, 'Cabinet 6 DiningTable 6 Fridge 6 CounterTop 3 Shelf 1'),
    Bread: stock(1, 2, 'CounterTop 12 DiningTable 11 Fridge 2 SideTable 2'),
    ButterKnife: stock(0.96, 3, 'CounterTop 11 DiningTable 9 Drawer 2 SinkBasin 2 Floor 1'),
    CellPhone: stock(0.14, 3, 'DiningTable 10 CounterTop 9 Drawer 8 Shelf 3'),
    CreditCard: stock(0.11, 3, 'Floor 7 CounterTop 5 Drawer 5 Shelf 4'),
    Cup: stock(1, 3, 'SideTable 6 CounterTop 5 DiningTable 5 Cabinet 4 SinkBasin 4 Fridge 3 Shelf 3 Microwave 1'),
    DishSponge: stock(
      1,
      3,
      'DiningTable 6 CounterTop 5 Cabinet 4 Drawer 4 GarbageCan 2 Floor 1 Shelf 1 SideTable 1 SinkBasin 1',
    ),
    Egg: stock(1, 3, 'DiningTable 6 CounterTop 5 Fridge 4 GarbageCan 2 Microwave 2 SinkBasin 2 Floor 1'),
    Fork: stock(1, 3, 'CounterTop 9 DiningTable 9 Drawer 4 SideTable 4 SinkBasin 2 Floor 1'),
    Glassbottle: stock(0.25, 3, 'Cabinet 10 CounterTop 5 DiningTable 3 Shelf 2 SinkBasin 2 Fridge 1 GarbageCan 1'),
    Kettle: stock(0.46, 2, 'StoveBurner 10 CounterTop 6 DiningTable 4 Cabinet 3'),
    Knife: stock(1, 3, 'CounterTop 11 DiningTable 7 Drawer 4 Floor 1 SideTable 1 SinkBasin 1'),
    Ladle: stock(0.36, 2, 'CounterTop 10 DiningTable 10 Drawer 4 Cabinet 3'),
    Lettuce: stock(1, 2, 'DiningTable 11 CounterTop 7 Fridge 6 SinkBasin 1'),
    Mug: stock(
      1,
      3,
      'SideTable 5 CounterTop 4 DiningTable 4 Cabinet 3 Fridge 3 Shelf 3 CoffeeMachine 2 Microwave 2 Floor 1 SinkBasin 1',
    ),
    Pan: stock(1, 2, 'StoveBurner 9 CounterTop 7 DiningTable 3 Cabinet 2 Fridge 1'),
    PaperTowelRoll: stock(0.36, 1, 'CounterTop 11 DiningTable 10 SideTable 10 Shelf 5 GarbageCan 3'),
    PepperShaker: stock(1, 3, 'SideTable 10 Shelf 9 CounterTop 7 Cabinet 5 DiningTable 4 Drawer 4'),
    Plate: stock(1, 3, 'Cabinet 9 DiningTable 6 CounterTop 5 Shelf 2 Floor 1 Fridge 1'),
    Pot: stock(1, 2, 'StoveBurner 15 CounterTop 2 DiningTable 2 Cabinet 1 Fridge 1 Shelf 1'),
    Potato: stock(1, 3, 'CounterTop 7 Fridge 5 DiningTable 3 Microwave 2 SinkBasin 2 Floor 1 GarbageCan 1'),
    SaltShaker: stock(1, 3, 'DiningTable 7 Cabinet 6 CounterTop 6 Drawer 4 Shelf 2 SideTable 2'),
    SoapBottle: stock(1, 3, 'DiningTable 8 Cabinet 6 CounterTop 6 SideTable 4 Shelf 3 GarbageCan 2'),
    Spatula: stock(1, 3, 'CounterTop 9 DiningTable 7 Drawer 4 SinkBasin 2 Floor 1'),
    Spoon: stock(1, 3, 'CounterTop 7 DiningTable 6 Drawer 6 SideTable 3 SinkBasin 3 Floor 1'),
    Statue: stock(0.14, 2, 'Shelf 11 CounterTop 8 DiningTable 2'),
    Tomato: stock(1, 3, 'CounterTop 8 Fridge 6 DiningTable 5 SideTable 4 GarbageCan 2 SinkBasin 1'),
    Vase: stock(0.14, 4, 'Cabinet 7 Shelf 7 CounterTop 6'),
    WineBottle: stock(0.36, 3, 'CounterTop 8 DiningTable 6 Cabinet 3 GarbageCan 3 Shelf 2 Fridge 1'),
    Blinds: stock(0.18, 1),
    Chair: stock(0.82, 2),
    HousePlant: stock(0.36, 1, 'CounterTop 16 DiningTable 10'),
    LightSwitch: stock(1, 1),
    Window: stock(0.89, 2, 'Floor 19 CounterTop 1'),
  },
}

/** Living rooms, as counted in the 13 living rooms of ALFWorld's validation games (each room weighing the same). */
export const livingRoom: Room = {
  name: 'living room',
  furniture: {
    ArmChair: [1, 1, 2],
    Cabinet: [0, 0, 0, 0, 0, 0, 1, 4, 8],
    CoffeeTable: [0, 0, 0, 1, 1, 1, 1, 2, 2],
    Desk: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    DiningTable: [0, 0, 0, 1, 1, 1, 1, 2],
    Drawer: [0, 0, 2, 4, 4, 4, 5, 6, 7, 7, 7, 12],
    Dresser: [0, 0, 0, 1, 1],
    GarbageCan: [1],
    Ottoman: [0, 0, 0, 0, 0, 1],
    Safe: [0, 0, 0, 0, 0, 1],
    Shelf: [0, 0, 0, 0, 0, 1, 3, 8, 12],
    SideTable: [0, 0, 1, 1, 2, 2, 3, 3, 3, 5],
    Sofa: [1, 1, 1, 1, 1, 2],
    TVStand: [0, 0, 1],
  },
  stock: {
    Book: stock(0.38, 3, 'SideTable 7 DiningTable 6 CoffeeTable 5 Dresser 5 ArmChair 1 Drawer 1'),
    Boots: stock(0.23, 1),
    Bowl: stock(0.15, 3, 'DiningTable 15 CoffeeTable 5'),
    Box: stock(1, 2, 'Desk 10 DiningTable 8 Sofa 5 Dresser 4 Floor 4 Cabinet 3 CoffeeTable 3 Shelf 1 SideTable 1'),
    CellPhone: stock(
      0.38,
      3,
      'TVStand 7 ArmChair 6 Drawer 6 Dresser 5 DiningTable 3 CoffeeTable 2 Safe 1 Shelf 1 SideTable 1',
    ),
    CreditCard: stock(
      1,
      3,
      'Dresser 9 DiningTable 4 SideTable 4 Sofa 4 ArmChair 3 CoffeeTable 3 Ottoman 3 Shelf 3 Drawer 1 TVStand 1',
    ),
    KeyChain: stock(1, 3, 'Floor 5 Sofa 5 CoffeeTable 3 Drawer 3 SideTable 3 DiningTable 2 Dresser 2 TVStand 2 Safe 1'),
    Laptop: stock(1, 3, 'CoffeeTable 9 DiningTable 6 Sofa 5 Dresser 3 ArmChair 2 SideTable 2 TVStand 1'),
    Newspaper: stock(0.62, 3, 'DiningTable 9 Dresser 7 Shelf 4 SideTable 4 Sofa 4 CoffeeTable 2 ArmChair 1 Cabinet 1'),
    Pen: stock(0.15, 4, 'SideTable 12 DiningTable 5 TVStand 5 CoffeeTable 2'),
    Pencil: stock(0.23, 4, 'CoffeeTable 10 SideTable 8 Floor 2'),
    Pillow: stock(1, 2, 'Sofa 15 ArmChair 5'),
    Plate: stock(0.31, 3, 'DiningTable 14 Shelf 13 TVStand 5 SideTable 2'),
    RemoteControl: stock(
      1,
      3,
      'Dresser 7 CoffeeTable 6 Sofa 5 Shelf 4 SideTable 3 TVStand 3 DiningTable 2 ArmChair 1 Drawer 1',
    ),
    Statue: stock(0.92, 5, 'DiningTable 8 Shelf 7 TVStand 7 Dresser 6 SideTable 6 CoffeeTable 4 Safe 1'),
    TissueBox: stock(0.46, 3, 'DiningTable 12 Cabinet 10 SideTable 5 CoffeeTable 3 Dresser 2 GarbageCan 2 Shelf 1'),
    Vase: stock(
      0.62,
      5,
      'Shelf 10 DiningTable 6 CoffeeTable 5 TVStand 5 Safe 3 Cabinet 2 Dresser 2 Floor 2 SideTable 2',
    ),
    Watch: stock(0.62, 3, 'Shelf 11 CoffeeTable 7 SideTable 6 Safe 5 DiningTable 4 Drawer 4 TVStand 2 Dresser 1'),
    WateringCan: stock(0.38, 1),
    Chair: stock(0.77, 8),
    Curtains: stock(0.23, 1, 'Floor 13 SideTable 7'),
    DeskLamp: stock(0.23, 1, 'SideTable 20'),
    FloorLamp: stock(1, 1),
    HousePlant: stock(1, 1, 'SideTable 10 Floor 8 CoffeeTable 3 DiningTable 2'),
    LightSwitch: stock(1, 1),
    Painting: stock(1, 3),
    Television: stock(1, 1, 'TVStand 20 Dresser 16 Floor 6 CoffeeTable 2'),
    Window: stock(0.92, 6),
  },
}

/** Bedrooms, as counted in the 19 bedrooms of ALFWorld's validation games (each room weighing the same). */
export const bedroom: Room = {
  name: 'bedroom',
  furniture: {
    ArmChair: [0, 0, 0, 0, 0, 1],
    Bed: [1, 1, 1, 1, 1, 2],
    Cabinet: [0, 0, 0, 0, 0, 0, 0, 0, 1, 4],
    Desk: [0, 1, 1, 1, 1, 2],
    DiningTable: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    Drawer: [2, 2, 3, 4, 5, 5, 6, 8, 10, 13],
    Dresser: [0, 0, 0, 0, 1, 1, 1, 1, 1, 2],
    GarbageCan: [1],
    LaundryHamper: [0, 0, 0, 0, 1],
    Safe: [0, 0, 0, 0, 0, 1],
    Shelf: [0, 0, 0, 1, 1, 1, 2, 5, 6, 8],
    SideTable: [0, 0, 0, 0, 1, 1, 1, 2, 2],
  },
  stock: {
    AlarmClock: stock(1, 2, 'SideTable 9 Desk 8 DiningTable 8 Dresser 7 Shelf 6'),
    BaseballBat: stock(0.53, 1),
    BasketBall: stock(0.42, 1),
    Book: stock(1, 3, 'Bed 10 Desk 7 ArmChair 3 Drawer 3 DiningTable 2 Dresser 2'),
    Boots: stock(0.16, 1),
    Bowl: stock(0.53, 2, 'DiningTable 13 Desk 12 Shelf 9 SideTable 2'),
    Box: stock(0.53, 1, 'Floor 16 Shelf 3 Desk 2'),
    CD: stock(1, 3, 'DiningTable 7 Drawer 6 Desk 5 Dresser 5 SideTable 4 ArmChair 2 Floor 2 GarbageCan 1 Shelf 1'),
    CellPhone: stock(1, 3, 'DiningTable 8 Bed 6 Desk 6 Dresser 5 Drawer 4 Safe 3 SideTable 3 Shelf 1'),
    CreditCard: stock(1, 4, 'Drawer 11 ArmChair 8 DiningTable 5 Dresser 4 Desk 3 Shelf 3 SideTable 3'),
    KeyChain: stock(1, 3, 'Desk 9 DiningTable 6 Drawer 4 Dresser 4 Safe 4 Shelf 4 ArmChair 2 Floor 2 SideTable 2'),
    Laptop: stock(1, 2, 'Bed 14 Desk 6 ArmChair 4 DiningTable 2'),
    Mug: stock(0.63, 3, 'Cabinet 13 DiningTable 13 Desk 10 Shelf 10 SideTable 2'),
    Pen: stock(1, 3, 'DiningTable 11 Desk 7 Shelf 7 Dresser 4 Drawer 3 SideTable 3 GarbageCan 1'),
    Pencil: stock(1, 3, 'Dresser 8 DiningTable 7 Desk 6 SideTable 5 Drawer 3 Shelf 3 GarbageCan 1'),
    Pillow: stock(1, 2, 'Bed 20'),
    Statue: stock(0.16, 2, 'Shelf 17 SideTable 10'),
    TeddyBear: stock(0.26, 1, 'Bed 20'),
    TennisRacket: stock(0.42, 1),
    TissueBox: stock(0.16, 4, 'Desk 11 Drawer 7 Shelf 2'),
    Vase: stock(0.11, 5, 'Shelf 10 Desk 5 SideTable 5 Dresser 2'),
    Blinds: stock(0.95, 2),
    Chair: stock(0.84, 2),
    DeskLamp: stock(0.78, 1, 'Dresser 10 Desk 9 SideTable 6 Shelf 5'),
    HousePlant: stock(0.26, 1, 'Dresser 20 Shelf 8 Desk 5 Floor 4'),
    LightSwitch: stock(1, 1),
    Mirror: stock(1, 1, 'Floor 18 Dresser 2'),
    Painting: stock(0.42, 2),
    Poster: stock(0.16, 3),
    Window: stock(1, 2, 'Floor 18 Dresser 2 Shelf 1'),
  },
}

/** Bathrooms, as counted in the 20 bathrooms of ALFWorld's validation games (each room weighing the same). */
export const bathroom: Room = {
  name: 'bathroom',
  furniture: {
    BathtubBasin: [0, 1, 1, 1],
    Cabinet: [0, 0, 0, 0, 2, 3, 4, 4, 4, 4, 4, 5, 9],
    Cart: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    CounterTop: [0, 1, 1, 1, 1, 1, 2],
    Drawer: [0, 0, 0, 0, 0, 1, 2, 4, 6, 8],
    Dresser: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    GarbageCan: [1],
    HandTowelHolder: [1, 1, 2, 2],
    Shelf: [0, 0, 0, 0, 0, 0, 1, 2, 3],
    SideTable: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    SinkBasin: [1, 2],
    Toilet: [1],
    ToiletPaperHanger: [1],
    TowelHolder: [1, 1, 2],
  },
  stock: {
    Candle: stock(1, 4, 'Cabinet 7 CounterTop 6 Drawer 6 Shelf 5 Toilet 5 Dresser 2 Floor 2'),
    Cloth: stock(1, 3, 'Cabinet 12 BathtubBasin 7 Cart 6 Shelf 6 Drawer 5 CounterTop 2 Toilet 1'),
    DishSponge: stock(0.15, 4, 'Cabinet 10 BathtubBasin 4 Cart 4 Shelf 3 Toilet 3 GarbageCan 1 SinkBasin 1'),
    HandTowel: stock(1, 2, 'HandTowelHolder 20 CounterTop 1'),
    PaperTowelRoll: stock(0.15, 1, 'CounterTop 10 Toilet 9 Floor 2 GarbageCan 2'),
    Plunger: stock(1, 1),
    ScrubBrush: stock(1, 1),
    SoapBar: stock(
      1,
      3,
      'Drawer 6 Shelf 6 Cabinet 5 CounterTop 4 Toilet 4 BathtubBasin 3 SinkBasin 2 Floor 1 GarbageCan 1',
    ),
    SoapBottle: stock(1, 3, 'Cabinet 8 Shelf 7 CounterTop 6 Dresser 5 Toilet 4 Cart 3 Floor 2 GarbageCan 2 Drawer 1'),
    SprayBottle: stock(1, 4, 'SideTable 20 Cabinet 10 Dresser 10 Cart 9 CounterTop 6 Shelf 5 Toilet 3 GarbageCan 1'),
    TissueBox: stock(0.2, 4, 'SideTable 20 Shelf 17 Cabinet 7 CounterTop 6 Drawer 4'),
    ToiletPaper: stock(
      1,
      4,
      'Cabinet 6 Drawer 4 Shelf 4 Toilet 4 Cart 3 CounterTop 3 Floor 3 ToiletPaperHanger 3 GarbageCan 2',
    ),
    Towel: stock(1, 1, 'TowelHolder 20'),
    LightSwitch: stock(1, 1),
    Mirror: stock(1, 1, 'Floor 17 CounterTop 4'),
    ShowerDoor: stock(0.55, 1),
    ShowerGlass: stock(0.4, 1, 'Floor 18 Shelf 5 CounterTop 1'),
    Window: stock(0.6, 1),
  },
}

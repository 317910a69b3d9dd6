/**
 * Settings of worlds, one block each, read by `settings.ts`. The first line gives the setting and words of personas
 * that it suits. `rooms` are places that one steps into, `places` any others. `things` can be carried. Then the actions
 * of its own, as `KIND TOOL: form / values / state`:
 *
 * - `at`: done to a carried thing where a fixed tool stands,
 * - `with`: done to a thing nearby with a carried tool,
 * - `ready`: done to a fixed tool, which is needed before `at` works there,
 * - `join`: fits a carried thing to another one; the tool, if there is one, is carried.
 *
 * A state is added, or removed after `not`; `{slot} one, another` makes it the value of that slot. All names are
 * singular, since the sentences say `It is`.
 */
export const settingTable = `
restaurant kitchen: cook, chef, restaurant, waiter, dishwasher, soup, recipe, dinner, spice, canteen, menu, sauce
rooms: pastry corner, scullery, cold room, dining room, back office, dish store
surfaces: steel counter, serving hatch, butcher block, spice shelf, tray stand
boxes: bread bin, ice chest, larder cupboard, cutlery drawer, plate warmer
things: pepper mill, ladle, copper pan, soup bowl, gravy boat, fish knife, salt pot, cutting board, lemon, onion, trout
at deep sink: rinse {thing} at {tool} / ladle, copper pan, soup bowl, fish knife, cutting board / not greasy
with peeler: peel {thing} with {tool} / lemon, onion, potato, carrot / peeled
ready gas range: turn {tool} to {level} / {level} low, medium, high
at gas range: fry {thing} on {tool} / onion, trout, potato, pancake / fried
with cloth: buff {thing} using {tool} / soup bowl, gravy boat, copper pan, wine glass / shiny
join: fill {base} with {thing} / salt pot, pepper pouch / pepper mill, spice grinder

apiary: beekeeper, bee, honey, hive, wax, candle, apiary, mead
places: hive yard, honey shed, bottling room, cold store, orchard, wax loft
surfaces: sorting table, drying board, low trolley, window sill, hive stand
boxes: pine crate, cool box, tin chest, wall cupboard, swarm box
things: smoker, bee veil, feed bottle, queen cage, honey jar, candle, soap bar, comb frame, brood frame, pollen tray, left glove
at uncapping tank: scrape {thing} over {tool} / comb frame, brood frame, spare frame / not capped
at label press: label {thing} at {tool} / honey jar, candle, soap bar, mead bottle / labelled
with bee brush: brush {thing} with {tool} / bee veil, pollen tray, queen cage, comb frame / not dusty
ready extractor: spin {tool} at {speed} / {speed} 40, 60, 90
at extractor: drain {thing} using {tool} / comb frame, spare frame, super frame / drained
join: screw {thing} onto {base} / brass lid, tin lid / honey jar, feed bottle

theatre: actor, actress, theatre, stage, play, puppet, puppeteer, costume, drama, opera, dancer, magician, circus
rooms: rehearsal room, dressing room, prop room, sewing room, foyer, lighting booth
surfaces: make-up table, prop table, prompt desk, costume rail, ladder top
boxes: costume trunk, wig box, prop chest, ticket drawer, hat case
things: velvet cloak, crown, wooden sword, script, wig, paper rose, lantern, silk fan, mask, goblet, feather hat
at steam press: press {thing} on {tool} / velvet cloak, silk fan, lace collar, sash / not creased
with paint pot: paint {thing} in {colour} from {tool} / mask, wooden sword, goblet, paper rose / {colour} gold, black, crimson
at prompt corner: rehearse with {thing} / script, wooden sword, mask, silk fan / rehearsed
with clothes brush: whisk {thing} clean with {tool} / velvet cloak, feather hat, wig / not dusty
ready spotlight: dim {tool} to {brightness} / {brightness} 20, 50, 80
join: pin {thing} to {base} / feather, paper rose, lace collar / feather hat, velvet cloak

print shop: printer, poster, print, typesetter, bookbinder, book, calligrapher, engraver, zine, comic, cartoonist
rooms: press room, type room, bindery, paper store, front shop, drying loft
surfaces: stone slab, binding bench, drying rack, proof table, shop counter
boxes: type case, plate drawer, paper chest, ink cupboard, parcel box
things: poster, pamphlet, ink roller, lead block, map sheet, wedding card, calendar, copper plate, bone folder, almanac
at hand press: print {thing} on {tool} / poster, pamphlet, map sheet, wedding card, calendar / printed
at guillotine: trim {thing} at {tool} / pamphlet, calendar, almanac, notebook / trimmed
with rag: swab {thing} with {tool} / ink roller, lead block, copper plate / not inky
ready hand press: ink {tool} / inked
with awl: pierce {thing} with {tool} / almanac, notebook, pamphlet / pierced
join: slide {thing} into {base} / map sheet, calendar / card sleeve, poster tube

sailing ship: sailor, ship, captain, sea, navigator, boat, harbour, whaler, fisher, fisherman, voyage, ferry, shipwright
places: wheelhouse, chart room, galley, cargo hold, forecastle, captain's cabin
surfaces: chart table, capstan head, galley bench, cabin berth, barrel top
boxes: sea chest, rope locker, powder cask, map case, biscuit barrel
things: sextant, signal flag, compass, oilskin coat, tin whistle, rope coil, brass telescope, log book, lantern, fish hook, spare pulley
at tar bucket: tar {thing} at {tool} / rope coil, spare pulley, canvas patch / tarred
with chamois: polish {thing} with {tool} / sextant, compass, brass telescope, ship bell / not tarnished
at navigation desk: consult {thing} at {tool} / log book, sea chart, compass / consulted
ready capstan: wind {tool} by {count} / {count} 3, 6, 9
with marlinspike: splice {thing} using {tool} / rope coil, mooring line, halyard / spliced
join: fasten {thing} to {base} / signal flag, pennant / boat staff, signal line

clinic: nurse, doctor, surgeon, clinic, hospital, medic, patient, midwife, dentist, pharmacist, physician, optician, healer
rooms: waiting room, treatment room, pharmacy, x-ray room, records office, linen room
surfaces: steel trolley, bedside table, reception desk, instrument tray, scale top
boxes: medicine cabinet, sample fridge, file drawer, linen hamper, first-aid box
things: thermometer, blood sample, patient file, plaster roll, ear syringe, pill bottle, eye chart, bandage, stethoscope, splint
at autoclave: sterilise {thing} in {tool} / ear syringe, tweezers case, scalpel, splint / sterile
with alcohol wipe: wipe down {thing} with {tool} / stethoscope, thermometer, eye chart, splint / not smudged
ready autoclave: heat {tool} to {temperature} / {temperature} 121, 134
at centrifuge: spin {thing} in {tool} / blood sample, urine sample, saliva sample / separated
at copier: copy {thing} at {tool} / patient file, prescription, vaccine card / copied
join: clip {thing} to {base} / prescription, x-ray film / patient file, light box

garden: gardener, garden, rose, flower, florist, orchard, botanist, landscaper, plant, herb, tree, tomato, orchid, bonsai
places: potting shed, rose garden, greenhouse, compost yard, herb garden, pond garden
surfaces: potting bench, garden wall, seed shelf, stone step, plant stand
boxes: seed chest, tool locker, cold frame, bulb bin, wicker hamper
things: trowel, tulip bulb, clay pot, fern, tomato seedling, garden twine, pruning saw, bird feeder, lavender bush, name tag
at rain barrel: water {thing} from {tool} / fern, tomato seedling, lavender bush, orchid / watered
with secateurs: prune {thing} with {tool} / lavender bush, rose bush, bonsai / pruned
at hose tap: hose off {thing} / trowel, clay pot, pruning saw, garden fork / not muddy
ready sprinkler: open up {tool} for {duration} / {duration} 5, 10, 20
with rake: comb {thing} with {tool} / moss tray, gravel tray, turf roll / even
join: bed {thing} into {base} / tulip bulb, tomato seedling, orchid / clay pot, window box

library: librarian, library, reader, archivist, historian, novelist, writer, scholar, poet, translator, genealogist, crossword
rooms: reading room, map room, archive, lobby, repair studio, children's corner
surfaces: oak lectern, returns counter, reading desk, atlas stand, book cart
boxes: glass case, card drawer, archive box, returns bin, strong cabinet
things: atlas, novel, old diary, newspaper, reading lamp, dictionary, picture book, map of the coast, letter, rare psalter
at stamp desk: stamp {thing} at {tool} / novel, atlas, picture book, dictionary / stamped
with soft brush: dust {thing} with {tool} / old diary, rare psalter, globe, atlas / not dusty
at scanner: scan {thing} on {tool} / letter, newspaper, old diary, map of the coast / scanned
ready scanner: wake {tool} / awake
with glue stick: mend {thing} with {tool} / picture book, novel, dictionary / not torn
join: file {thing} inside {base} / letter, index card, newspaper / ring binder, slip case

garage: mechanic, car, garage, driver, taxi, motorcycle, engine, engineer, trucker, bus, tractor, racing, bicycle, cyclist
rooms: repair bay, paint booth, parts store, tyre room, front office, car wash
surfaces: work bench, lift platform, tyre rack, parts counter, rolling cart
boxes: tool chest, battery locker, spare-parts bin, glove box, oil cabinet
things: spark plug, hubcap, brake disc, side mirror, fan belt, car battery, wing panel, oil filter, number plate, jack
at parts washer: degrease {thing} in {tool} / spark plug, brake disc, oil filter, gearwheel / not oily
with spray gun: spray {thing} in {colour} using {tool} / wing panel, hubcap, side mirror / {colour} silver, red, white
at charger: charge {thing} on {tool} / car battery, spare battery, torch / charged
ready compressor: pump {tool} up to {pressure} / {pressure} 2, 4, 8
with torque wrench: tighten {thing} with {tool} / spark plug, brake disc, jack / tight
join: bolt {thing} onto {base} / number plate, side mirror / wing panel, fibre bumper

bakery: baker, bakery, bread, cake, pastry, confectioner, miller, cookie, pie, chocolate, chocolatier, dough
rooms: dough room, oven room, shop front, flour store, icing corner, delivery porch
surfaces: marble slab, cooling rack, cake stand, shop window, kneading board
boxes: proving drawer, flour bin, cake box, bread basket, butter fridge
things: rye loaf, plum tart, sponge cake, whisk, rolling pin, gingerbread, cinnamon bun, pastry bag, yeast jar, milk jug
ready brick oven: stoke {tool} to {temperature} / {temperature} 180, 220, 250
at brick oven: bake {thing} in {tool} / rye loaf, plum tart, gingerbread, cinnamon bun / baked
with sugar sieve: dust {thing} from {tool} / sponge cake, plum tart, doughnut / sugared
at wash trough: scrub {thing} at {tool} / whisk, rolling pin, pastry bag, milk jug / not sticky
with icing knife: ice {thing} with {tool} / sponge cake, cinnamon bun, gingerbread / iced
join: tuck {thing} under {base} / paper doily, gold card / sponge cake, plum tart

laboratory: scientist, chemist, laboratory, researcher, physicist, microbiologist, biologist, student, professor, inventor
rooms: wet lab, dry lab, cold chamber, balance room, reagent store, seminar room
surfaces: lab bench, fume hood, balance table, sample rack, reading stand
boxes: acid cupboard, sample freezer, glassware drawer, desiccator, waste bin
things: beaker, test tube, petri dish, lab notebook, pipette, crystal, copper wire, pH probe, flask, soil core
at ultrasonic bath: clean {thing} in {tool} / beaker, flask, pipette, petri dish / not stained
at microscope: view {thing} under {tool} / crystal, petri dish, leaf slide, soil core / viewed
ready hot plate: set {tool} to {temperature} / {temperature} 60, 90, 120
at hot plate: warm {thing} on {tool} / beaker, flask, test tube / warm
with marker pen: mark {thing} with {tool} / test tube, petri dish, soil core, flask / marked
join: plug {base} with {thing} / rubber stopper, glass stopper / flask, test tube

farm: farmer, farm, cow, sheep, shepherd, goat, horse, chicken, wool, rancher, barn, harvest, tractor, pig, llama
places: cow barn, hen house, hay loft, milking parlour, orchard, machine shed
surfaces: hay bale, feed trough, fence post, milking stool, straw rack
boxes: grain bin, egg crate, feed locker, milk chest, tack box
things: milk pail, egg tray, horse brush, saddle, apple basket, sheep bell, pitchfork, wool fleece, corn sack, lamb bottle
at pump: sluice {thing} at {tool} / milk pail, egg tray, lamb bottle, boot / not muddy
with whetstone: sharpen {thing} with {tool} / pitchfork, sickle, hoof knife / sharp
at weigh beam: weigh {thing} on {tool} / wool fleece, corn sack, apple basket / weighed
ready milking machine: start {tool} / running
at milking machine: fill up {thing} from {tool} / milk pail, lamb bottle, churn / full
with saddle soap: soap {thing} using {tool} / saddle, bridle, harness / supple
join: hang {thing} on {base} / sheep bell, bridle / saddle, wooden peg

pottery: potter, pottery, ceramic, clay, sculptor, vase, glassblower, tile, mosaic
rooms: wheel room, glaze room, kiln room, clay cellar, sales room, drying room
surfaces: ware board, turntable, plaster slab, sales shelf, kiln shelf
boxes: damp cupboard, glaze cabinet, packing case, slip barrel, scrap bin
things: tea bowl, vase, oil lamp, water jug, floor tile, sponge, mixing cup, butter dish, figurine, teapot
at glaze bath: dip {thing} into {tool} / tea bowl, vase, water jug, butter dish / glazed
ready kiln: fire up {tool} to {temperature} / {temperature} 980, 1100, 1240
at kiln: burn {thing} in {tool} / tea bowl, floor tile, figurine, teapot / fired
with fine brush: decorate {thing} in {pattern} style with {tool} / vase, floor tile, teapot / {pattern} striped, dotted, floral
with wire loop: hollow out {thing} with {tool} / figurine, oil lamp, pot stand / hollow
join: perch {thing} on {base} / clay lid, cork lid / teapot, storage jar

tailor's shop: tailor, seamstress, dressmaker, quilt, quilter, sew, fashion, embroidery, weaver, knit, knitter, lace, milliner
rooms: cutting room, fitting room, fabric store, pressing room, front parlour, button loft
surfaces: cutting table, ironing board, shop counter, dress form, folding stand
boxes: button drawer, thread chest, pattern box, moth closet, hat box
things: silk dress, waistcoat, linen shirt, tape measure, button card, thimble, wool coat, tie, curtain, apron
at steam iron: iron {thing} under {tool} / silk dress, linen shirt, curtain, apron / not creased
at sewing machine: hem {thing} on {tool} / curtain, apron, silk dress, trouser leg / hemmed
with tailor's chalk: mark out {thing} with {tool} / waistcoat, wool coat, trouser leg / marked
with lint roller: roll over {thing} using {tool} / wool coat, waistcoat, felt hat / not fluffy
at dye vat: dye {thing} in {colour} at {tool} / linen shirt, tie, curtain / {colour} indigo, green, ochre
join: stitch {thing} onto {base} / brass button, name tape, pocket / waistcoat, wool coat

museum: museum, curator, guide, archaeologist, paleontologist, fossil, antique, collector, tour, painting, artist, painter
rooms: entrance hall, fossil gallery, coin room, conservation studio, loading hall, picture gallery
surfaces: display plinth, study table, padded bench, hanging rail, viewing stand
boxes: glass vitrine, transport crate, specimen drawer, map chest, safe
things: bronze coin, oil painting, fossil shell, clay tablet, ivory comb, sword hilt, silver brooch, audio guide, bone flute, catalogue
at fume cabinet: treat {thing} in {tool} / bronze coin, sword hilt, silver brooch / not corroded
with sable brush: brush off {thing} with {tool} / fossil shell, clay tablet, bone flute, ivory comb / not dusty
at photo stand: photograph {thing} on {tool} / oil painting, silver brooch, clay tablet / photographed
ready photo stand: brighten {tool} to {brightness} / {brightness} 50, 150, 300
at register: enter {thing} into {tool} / bronze coin, bone flute, fossil shell, oil painting / registered
join: mount {thing} on {base} / fossil shell, ivory comb, bronze coin / oak base, velvet pad

school: teacher, school, pupil, classroom, kindergarten, tutor, child, children, chess, spelling, headmaster, janitor
rooms: classroom, staff room, science room, art room, gym, stationery store
surfaces: teacher's desk, window ledge, round table, piano lid, book trolley
boxes: pupil locker, toy chest, paper drawer, sports box, lost-property bin
things: exercise book, globe, football, recorder, jar of paste, wall map, ruler, lunch box, paint tray, school bell
at art sink: sponge {thing} at {tool} / paint tray, lunch box, palette, ruler / not messy
with red pen: grade {thing} with {tool} / exercise book, essay, spelling test / graded
at laminator: laminate {thing} in {tool} / wall map, timetable, name card / laminated
ready laminator: switch on {tool} / on
with hand pump: inflate {thing} with {tool} / football, gym ball, swim ring / inflated
join: paste {thing} into {base} / photo, paper star / exercise book, scrapbook

post office: postman, postwoman, mail, letter, courier, stamp, post, parcel, telegraph, telegraphist, delivery, clerk
rooms: sorting hall, counter room, parcel room, telegraph room, van shed, back store
surfaces: sorting table, public counter, parcel scale, pigeonhole rack, loading ramp
boxes: mail sack, stamp drawer, locker six, strongbox, mail basket
things: airmail letter, parcel, postcard, telegram, customs form, magazine, money order, twine ball, wax stick, ledger
at franking machine: frank {thing} at {tool} / airmail letter, parcel, postcard, magazine / franked
with rubber stamp: stamp {thing} as {mark} with {tool} / parcel, telegram, customs form / {mark} urgent, fragile, registered
at string stand: bundle {thing} at {tool} / parcel, magazine, catalogue / tied
ready telegraph key: tune {tool} to {line} / {line} 1, 2, 3
with letter knife: slit {thing} using {tool} / telegram, airmail letter, express letter / slit
join: attach {thing} to {base} / customs form, address tag / parcel, hat carton

lighthouse: lighthouse, keeper, coast, island, storm, weather, meteorologist, radio, signal, surfer, diver
places: lamp room, keeper's kitchen, oil store, boat house, radio room, watch cabin
surfaces: iron step, kitchen table, log desk, stone parapet, radio shelf
boxes: oil locker, flag chest, rope bin, tin trunk, weather box
things: wick, oil can, brass funnel, storm glass, log book, foghorn, lens cover, tide table, coil of line, sea boot
at lamp bench: trim {thing} at {tool} / wick, spare wick, oil lamp / trimmed
with lens cloth: shine {thing} with {tool} / brass funnel, storm glass, lens, mirror / not salty
ready radio set: tune {tool} to {channel} / {channel} 9, 16, 70
at radio set: report {thing} over {tool} / tide table, barometer card, log book / reported
with grease gun: grease {thing} using {tool} / foghorn, door hinge, winch drum / greased
join: lower {thing} into {base} / wick, float / oil lamp, fuel tank

observatory: astronomer, star, observatory, telescope, planet, moon, comet, astronaut, astrophysicist, galaxy, night sky
rooms: dome, control room, mirror lab, library annex, plate vault, workshop
surfaces: observing chair, optics bench, console desk, tripod top, chart stand
boxes: lens case, plate cabinet, tape drawer, padded crate, dry box
things: eyepiece, star chart, photo plate, mirror cell, data tape, finder scope, moon filter, logbook, laser pointer, spare lens
at clean bench: degas {thing} at {tool} / photo plate, mirror cell, spare lens / clean
with air bulb: blow off {thing} with {tool} / eyepiece, moon filter, spare lens, finder scope / not dusty
ready dome motor: rotate {tool} to {angle} / {angle} 45, 90, 270
at plate scanner: digitise {thing} on {tool} / photo plate, star chart, data tape / digitised
with hex key: align {thing} with {tool} / finder scope, mirror cell, laser pointer / aligned
join: thread {thing} into {base} / moon filter, dust cap / eyepiece, finder scope

railway depot: train, railway, conductor, locomotive, engine, station, tram, commuter, rail, signalman, model
places: engine shed, waiting hall, signal cabin, goods yard, ticket hall, coal yard
surfaces: luggage cart, signal frame, bench, footplate, workshop table
boxes: tool locker, parcel cage, ticket drawer, sand box, lamp cupboard
things: oil can, red lamp, guard's flag, coal shovel, suitcase, pressure gauge, whistle, route map, track bolt, ticket punch
at wash plant: jet {thing} clean at {tool} / coal shovel, red lamp, buffer plate / not sooty
with wire brush: scour {thing} with {tool} / track bolt, pressure gauge, coupling hook / not rusty
ready signal lever: throw {tool} to {aspect} / {aspect} clear, caution, danger
at ticket desk: validate {thing} at {tool} / paper ticket, season pass, group ticket / valid
at filling point: top up {thing} / oil can, red lamp, water can / full
join: couple {thing} to {base} / brake hose, chain / hand trolley frame, towing bar

hotel: hotel, guest, innkeeper, receptionist, maid, tourist, travel, porter, concierge, butler, landlord, travelling, inn
rooms: lobby, laundry, garden suite, breakfast room, luggage room, roof bar
surfaces: reception desk, luggage rack, breakfast buffet, bedside stand, bar top
boxes: linen closet, room safe, minibar, mail slot, laundry hamper
things: bath towel, bed sheet, room card, travel bag, wine bottle, fruit bowl, newspaper, slipper, bathrobe, tea tray
at washing machine: launder {thing} in {tool} / bath towel, bed sheet, bathrobe, tablecloth / not soiled
ready washing machine: program {tool} for {temperature} / {temperature} 30, 40, 60
at mangle: press {thing} in {tool} / bed sheet, tablecloth, pillowcase / smooth
with card writer: encode {thing} using {tool} / room card, staff card, spa card / encoded
at ice machine: chill {thing} at {tool} / wine bottle, fruit bowl, water carafe / cold
join: tie {thing} to {base} / claim tag, ribbon / travel bag, hat box

smithy: blacksmith, smith, forge, armour, knight, sword, iron, welder, metal, jeweller, goldsmith, farrier, medieval
places: forge hall, coal bunker, yard, nail room, show room, stable yard
surfaces: anvil, swage block, tool rack, trestle, stone sill
boxes: coal bin, nail keg, iron chest, pattern drawer, scrap crate
things: horseshoe, door hinge, iron rod, fire poker, ploughshare, dagger, fire grate, hoof rasp, chain link, candle holder
ready forge fire: stir {tool} / glowing
at forge fire: heat {thing} over {tool} / horseshoe, iron rod, dagger, chain link / red-hot
at slack tub: quench {thing} in {tool} / dagger, ploughshare, fire poker / hardened
with sledgehammer: hammer {thing} flat with {tool} / iron rod, strap, copper sheet / flat
with oil rag: oil {thing} using {tool} / door hinge, candle holder, fire grate / not rusty
join: rivet {thing} onto {base} / door hinge, strap, handle / fire grate, iron shield

dairy: cheese, cheesemaker, dairy, milk, yogurt, butter, ice cream, monk, monastery
rooms: milk room, curd room, brine room, ripening cellar, packing room, tasting room
surfaces: draining table, maturing shelf, scale plate, cutting board, packing bench
boxes: rennet fridge, mould chest, brine tub, straw crate, cheese safe
things: goat cheese, butter block, curd knife, milk can, cheese mould, muslin cloth, cream bowl, whey bucket, rind brush, sample cup
at brine bath: salt {thing} in {tool} / goat cheese, blue cheese, butter block / salted
ready copper vat: warm {tool} to {temperature} / {temperature} 32, 38, 52
at copper vat: curdle {thing} in {tool} / milk can, cream bowl, ewe's milk / curdled
at scalding sink: scald {thing} at {tool} / curd knife, cheese mould, milk can, muslin cloth / not sour
with wax ladle: wax {thing} with {tool} / goat cheese, blue cheese, farm cheese / waxed
join: wrap {thing} in {base} / goat cheese, butter block, blue cheese / muslin cloth, vine leaf

photo studio: photographer, photo, camera, film, filmmaker, wedding, portrait, model, videographer, cinema
rooms: darkroom, shooting room, retouching room, film store, client lounge, prop closet
surfaces: light table, enlarger base, posing stool, viewing desk, backdrop stand
boxes: film fridge, print drawer, camera case, chemical cabinet, slide box
things: roll of film, portrait print, wide lens, tripod head, flash unit, paper backdrop, glass negative, photo album, grey card, cable
at developing tray: develop {thing} in {tool} / roll of film, glass negative, test strip / developed
at enlarger: expose {thing} under {tool} / portrait print, test strip, contact sheet / exposed
with blower: puff dust off {thing} with {tool} / wide lens, flash unit, glass negative / not dusty
ready enlarger: focus {tool} at {height} / {height} 30, 45, 60
with scissors: crop {thing} with {tool} / portrait print, contact sheet, paper backdrop / cropped
join: mount {thing} onto {base} / wide lens, flash unit / camera body, tripod head

mountain hut: mountain, climber, hiker, mountaineer, ski, skier, guide, ranger, forest, snow, rescue, alpine, trail
places: boot room, bunk room, hut kitchen, wood store, sun room, radio corner
surfaces: pine table, stone hearth, boot rack, bunk shelf, chopping block
boxes: gear locker, bread box, blanket chest, rescue box, food cellar hatch
things: ice axe, climbing rope, wool blanket, soup kettle, trail map, headlamp, hiking boot, avalanche probe, tin cup, firewood log
ready iron stove: light {tool} / lit
at iron stove: boil {thing} on {tool} / soup kettle, tea pot, snow pan / boiling
at drying line: dry {thing} on {tool} / climbing rope, wool blanket, hiking boot, left sock / not wet
with axe: split {thing} with {tool} / firewood log, birch log, kindling block / split
with wax block: wax {thing} using {tool} / hiking boot, touring ski, sledge runner / waxed
join: knot {thing} around {base} / climbing rope, prusik cord / hand sledge, ice axe

instrument workshop: violin, luthier, piano, musician, music, guitar, cellist, composer, organ, drummer, trumpet, tuner, jazz, choir
rooms: tone wood store, bench room, varnish room, tuning room, shop front, string closet
surfaces: carving bench, varnish rack, music stand, window seat, shop table
boxes: violin case, string drawer, peg box, wood crate, felt bin
things: violin, bow, guitar neck, tuning fork, bridge blank, flute, sheet of music, rosin cake, drum skin, trumpet
at varnish stand: varnish {thing} at {tool} / violin, guitar neck, cello scroll / varnished
with tuning fork: tune {thing} by {tool} / violin, flute, mandolin / tuned
ready bending iron: heat {tool} up to {temperature} / {temperature} 150, 180, 200
at bending iron: bend {thing} around {tool} / violin rib, guitar side, bow stick / bent
with scraper: scrape {thing} smooth with {tool} / bridge blank, guitar neck, bow stick / smooth
join: string {base} with {thing} / gut string, horsehair hank / mandolin, bow

data centre: programmer, computer, software, developer, hacker, coder, network, server, database, technician, game, robot, drone
rooms: server hall, network room, staging area, battery room, control desk room, cable store
surfaces: crash cart, test bench, rack shelf, console desk, cable tray
boxes: spare-disk cabinet, key safe, shipping case, tape library, cable drawer
things: hard disk, memory module, patch cable, backup tape, fan tray, access badge, router, laptop, power supply, label maker
at flash station: flash {thing} at {tool} / router, memory module, laptop / updated
at shredder bay: erase {thing} in {tool} / hard disk, backup tape, memory stick / not secret
with air duster: blast {thing} with {tool} / fan tray, power supply, router, laptop / not dusty
ready cooling unit: set {tool} to {temperature} / {temperature} 18, 21, 24
with cable tester: test {thing} with {tool} / patch cable, fibre cable, power lead / tested
join: plug {thing} into {base} / patch cable, fibre cable, memory module / router, laptop

fire station: firefighter, fire, rescue, ambulance, paramedic, police, detective, officer, siren, emergency, soldier
rooms: engine bay, hose tower, watch room, gear room, gym corner, station kitchen
surfaces: engine step, hose rack, map table, gear bench, kitchen counter
boxes: breathing-gear locker, medical kit box, hose drum, radio cabinet, axe case
things: helmet, fire hose, oxygen bottle, hand radio, rescue rope, nozzle, turnout coat, street map, smoke alarm, crowbar
at hose dryer: dry out {thing} in {tool} / fire hose, turnout coat, rescue rope / not wet
at filling station: refill {thing} at {tool} / oxygen bottle, extinguisher, foam tank / full
with hose brush: scrub {thing} using {tool} / helmet, nozzle, turnout coat, crowbar / not sooty
ready pump panel: set {tool} to {pressure} / {pressure} 6, 8, 10
with multimeter: check {thing} with {tool} / smoke alarm, hand radio, torch / checked
join: couple {thing} with {base} / nozzle, adapter / fire hose, foam tank

animal shelter: veterinarian, vet, dog, cat, animal, shelter, zoo, zookeeper, parrot, pet, falconer, groomer, aquarium, bird
places: kennel hall, cat room, feed kitchen, exam room, meadow pen, front desk area
surfaces: exam table, feed counter, grooming table, front desk, sun shelf
boxes: feed bin, medicine fridge, toy chest, pet carrier, blanket locker
things: dog lead, food bowl, squeaky toy, flea comb, cat blanket, vaccine vial, adoption form, leather collar, bird perch, litter tray
at utility sink: wash {thing} at {tool} / food bowl, litter tray, bird perch, dog lead / not smelly
at feed scale: portion {thing} on {tool} / kibble bag, hay bundle, tin of fish / measured
with chip reader: read {thing} with {tool} / leather collar, pet passport, ear tag / read
ready heat lamp: raise {tool} to {level} / {level} one, two, three
at sunny line: air {thing} / cat blanket, dog coat, cushion / fresh
join: buckle {thing} onto {base} / leather collar, name tag / dog coat, dog lead

space station: astronaut, space, satellite, rocket, cosmonaut, pilot, future, mars, alien, orbit, spacecraft, aviator
rooms: command module, airlock, greenhouse pod, crew quarters, cargo bay, science module
surfaces: velcro wall, work panel, glove-box ledge, docking ring, galley table
boxes: cargo pod, suit locker, food drawer, tool pouch, sample vault
things: oxygen filter, data drive, space glove, ration pack, lettuce tray, laser cutter, air sensor, camera arm, water bag, repair patch
at decontamination unit: purge {thing} in {tool} / oxygen filter, space glove, air sensor / not toxic
ready analyser: calibrate {tool} / calibrated
at analyser: analyse {thing} in {tool} / water bag, lettuce tray, dust sample / analysed
with solder pen: repair {thing} with {tool} / air sensor, camera arm, data drive / not broken
at rehydrator: hydrate {thing} / ration pack, soup pouch, rice pouch / hydrated
join: dock {thing} to {base} / data drive, camera arm / hand probe, small rover

clockmaker's shop: clockmaker, clock, watch, watchmaker, toy, toymaker, automaton, locksmith, puzzle, tinkerer, mathematician
rooms: front shop, repair room, tower room, parts attic, polishing room, backyard shed
surfaces: watch bench, velvet tray, clock shelf, lathe bed, counter top
boxes: gear drawer, jewel box, clock case, tin of springs, display cabinet
things: pocket watch, cuckoo clock, mainspring, brass gear, music box, alarm clock, watch strap, pendulum, dial plate, hourglass
at ultrasonic tank: bathe {thing} in {tool} / brass gear, mainspring, watch case / not gummy
with winding key: wind {thing} with {tool} / cuckoo clock, music box, alarm clock, pocket watch / wound
ready lathe: run {tool} at {speed} / {speed} 400, 800, 1200
at lathe: turn {thing} on {tool} / brass gear, balance staff, wheel blank / turned
with engraver: engrave {thing} in {style} style with {tool} / dial plate, pocket watch, watch case / {style} plain, floral, numbered
join: seat {thing} inside {base} / mainspring, brass gear / music box, alarm clock

scriptorium: monk, scribe, manuscript, monastery, medieval, illuminator, nun, philosopher, century, abbey, priest, latin
rooms: writing room, chapel, vellum store, cloister, herbarium, abbot's study
surfaces: sloping desk, altar step, window bench, drying line, stone lectern
boxes: oak coffer, reliquary, scroll chest, herb cupboard, alms box
things: vellum sheet, psalm book, goose quill, gold leaf, ink horn, prayer scroll, beeswax candle, royal charter, pumice stone, hymnal
at rubbing board: rub down {thing} on {tool} / vellum sheet, calfskin, parchment / smooth
with reed pen: copy out {thing} with {tool} / prayer scroll, psalm book, royal charter, hymnal / copied
at seal press: seal {thing} at {tool} / royal charter, indulgence, letter to the king / sealed
ready brazier: kindle {tool} / burning
at brazier: melt {thing} over {tool} / wax cake, resin lump, tallow block / melted
join: bind {thing} into {base} / vellum sheet, parchment / psalm book, calf binding
`

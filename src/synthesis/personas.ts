/** Two hundred people who do not exist, one sentence each. */
export const personas: readonly string[] = `
A beekeeper who sells honey at a village market and labels every jar by hand.
The night cook of a roadside restaurant, known for an onion soup that truckers cross two counties to eat.
A retired sailor of seventy-eight who rebuilds the rigging of bottled ships.
An apprentice printer in 1790 who sets pamphlets by candlelight and fears the censor.
A stage actress between engagements who teaches herself to sew her own costumes.
Night nurse on a children's ward, mother of twins, fond of crossword puzzles.
A rose gardener at a castle in the rain who talks to each bush by name.
The only librarian on a small island, who delivers novels by bicycle.
A motorcycle mechanic from Nairobi with a talent for diagnosing noises over the phone.
A pastry baker who starts at three in the morning and paints watercolours at noon.
A chemist who left a large company to test the water of mountain villages.
A goat farmer, aged twenty-two, who posts weather reports for her whole valley.
A potter who digs his own clay from the river bank behind the workshop.
A tailor in Naples, third of his line, who has never bought a suit.
The curator of a museum of buttons with eleven visitors a week.
A teacher at a village school where all grades share one stove.
Rural postwoman on skis who also reads letters aloud to those who cannot see well.
A lighthouse keeper who writes down every passing vessel in green ink.
An amateur astronomer who grinds mirrors in a garage and hunts comets before work.
A signalman at a junction of the narrow-gauge railway, keen on pigeons.
The receptionist of a grand hotel in decline who remembers every guest's tea.
A farrier and blacksmith who travels the moor with a portable forge.
A cheesemaker in the Alps who judges wheels by knocking on them.
A wedding photographer who still carries one roll of film for luck.
Warden of a mountain hut who can guess a hiker's boots from the sound on the stairs.
A violin maker from a long line of carpenters, deaf in one ear.
A network engineer who guards a server hall under a former bank.
A volunteer firefighter and father of four who runs the town's pancake breakfast.
A veterinarian who treats parrots, lizards and the occasional circus camel.
An astronaut in the year 2140 who grows lettuce during long watches in orbit.
A clockmaker who repairs the town's tower clock and is late for everything else.
A monk of the twelfth century who copies psalms and keeps a tame jackdaw.
A dishwasher saving for his own noodle stall, with a notebook of broths.
A mead brewer who keeps hives on the roof of a bank.
A whaler turned preacher on a foggy northern coast.
The puppeteer of a travelling theatre that plays in barns and courtyards.
A midwife in a desert town who drives an ambulance older than herself.
A florist who names her bouquets after forgotten poems.
An archivist with perfect recall of shelf marks and none of birthdays.
A taxi driver who restores vintage cars with his granddaughter on Sundays.
A chocolate maker of Oaxaca who roasts beans in her grandmother's pan.
A microbiologist who collects slime from subway stations.
A sheep shearer moving south with the seasons and a guitar with five strings.
A glassblower who lost his sense of smell and gained an eye for blue.
A quilter whose patterns record every flood of her river.
A paleontologist with a limp who found a fossil while looking for his keys.
A kindergarten helper aged nineteen who plays the tuba at football games.
A telegraph clerk in the gold-rush days, paid by the word.
A radio operator on a polar weather ship who knits by ear.
A planetarium lecturer with stage fright and a splendid baritone voice.
A tram conductor who collects lost umbrellas and returns them with verses.
An innkeeper on the pilgrim road, famous for dry socks and thick bread.
A goldsmith who melts broken promises: rings returned after failed engagements.
A dairy scientist who breeds cultures for yogurt without fridges.
A documentary filmmaker following one glacier for forty years.
A ski patrol medic who dreams of opening a bookshop by the sea.
A jazz trumpet player repairing horns in a basement in Lagos.
A game developer from Busan whose mother is her harshest tester.
A police diver who paints model boats to calm his hands.
A dog groomer with allergies and a loyal queue of poodles.
A retired space engineer building rockets from kitchen foil with the neighbours' kids.
A toymaker whose tin frogs jump exactly once.
A nun who illuminates manuscripts and referees ice hockey.
A spice merchant who blindfolds customers to prove a point about cumin.
A candle dipper at a living-history farm who never breaks role.
A ferry captain on a lake so narrow that he waves to the same cow daily.
A costume designer for an opera that keeps running out of money.
A pharmacist in a mining camp with a gift for languages.
A bonsai grower who inherited a tree older than his country.
A historian of lost recipes, usually in flour up to the elbows.
A bicycle courier studying anatomy at red lights.
A miller who listens to the stones to know the grain.
A volcano researcher who packs marshmallows as field equipment.
A shepherd with a doctorate in philosophy and two philosophical dogs.
A tile painter restoring the bathhouse of an old spa.
A lace maker who streams her bobbins to nine thousand followers.
An antique dealer who refuses to sell anything with a story she likes.
A chess tutor working in a park under a plane tree.
A parcel sorter on the graveyard shift who composes limericks about zip codes.
A surfer who became a tide-table publisher after a broken leg.
A comet hunter from the pampas using a telescope made of drainpipe.
A locomotive stoker with soot in his lullabies.
A hotel maid collecting bookmarks that guests forget.
An armourer for medieval fairs who suffers from a fear of swords.
A butter sculptor at county fairs, lactose intolerant.
A school portrait photographer who knows four hundred ways to say cheese.
A forest ranger counting owls for a census nobody reads.
An organ tuner who sleeps in churches and knows their ghosts by pitch.
A self-taught hacker of seventy who guards his village council from scams.
An emergency dispatcher whose hobby is silence.
A falconer employed by an airport to scare off starlings.
A satellite technician homesick for thunderstorms on the plains.
A locksmith hired mainly by people who have lost faith rather than keys.
A calligrapher of the Song dynasty, twice failed at the imperial examinations.
A canteen manager feeding six hundred shipyard workers on a budget of beans.
A bee inspector with a moped and a fear of moths.
A harbour pilot who learned to read fog from her blind uncle.
An improvising magician of children's parties who shuffles with three fingers.
A dentist to river nomads, paid in smoked fish.
A landscaper who hides a fern in every parking lot he designs.
A translator of sea shanties who has never left the steppe.
A racing mechanic banned from driving after one very fast funeral.
A confectioner who casts sugar models of demolished buildings.
A physics professor who juggles during exams to distract cheaters.
A cattle rancher learning the harp by correspondence.
A ceramic engineer designing mugs for shaking hands.
A milliner to drag queens and duchesses alike.
A tour guide in catacombs, claustrophobic until lunchtime.
A headmaster who repairs the boiler between lessons on Tacitus.
A mail pilot crossing the Andes in 1931 with a thermos and a rosary.
An island meteorologist who bets pies against fishermen's knees.
A planet-watching insomniac who runs a laundromat.
A stationmaster whose cat holds the rank of deputy in the timetable of the rural train.
A concierge who speaks eleven tongues and whispers in all of them.
A welder who makes garden dragons from scrapped ploughs and metal pails.
An ice cream vendor with a law degree and a bell from a wreck.
A cinema projectionist threading the last reel in a town of six streets.
A mountain rescue volunteer, accountant from Monday to Friday.
A piano mover with a delicate ear and enormous shoulders.
A database administrator raising alpacas by spreadsheet.
A fire lookout writing the same novel for nine summers.
A cat shelter founder whose own cat despises company.
A test pilot from a family of undertakers.
A watch repairer who times eclipses for fun.
A medieval abbey's cellarer who waters nothing but his own cup.
A menu translator with a vendetta against the word 'delicious'.
A wax chandler supplying both cathedrals and heavy-metal concerts.
A fisherman's widow who took over the boat and doubled the catch.
A ballet dancer turned upholsterer after a fall.
An optician who grinds spectacles for owls in a film.
A herb seller at a crossroads market with a remedy for hiccups.
A novelist stuck on page one who reorganises other people's shelves.
A bus driver whose passengers vote on the route home.
A cookie factory inspector counting chocolate chips for fairness.
A biology student raising snails behind the dormitory radiator.
A chicken farmer who plays Verdi to improve the eggs.
A mosaic artist who begs neighbours for cracked plates.
A fashion student reweaving parachutes into raincoats.
An archaeologist who excavates shopping malls of the late twentieth century.
A spelling champion now proofreading road signs.
A stamp collector married to a woman who steams envelopes open.
A storm chaser with three grandmothers on speed dial.
A moon-phase calendar printer who distrusts the sun.
A model railway builder who models only delayed departures.
A travelling knife salesman who fixes hinges wherever he sleeps.
A jeweller melting coins from drowned villages.
A rennet maker and amateur boxer from the valley of herds.
A wildlife camera trapper living on tinned peaches.
A climber who carries a kettle to every summit.
A choir leader in a prison, strict about vowels.
A robot repairer in 2075 with a weakness for paper maps.
A paramedic who grows chillies named after close calls.
A zoo night watchman learning wolf etiquette.
A Mars greenhouse intern sending tomatoes home in drawings.
A puzzle designer whose locks open only to apologies.
A scribe in a Mesopotamian grain office with aching thumbs.
A street sweeper who maps chewing gum in three colours.
An accountant who balances the books of ghosts, or so he tells his niece.
A judge of marrows and marmalades, incorruptible since 1988.
A stunt double for elderly ladies, herself eighty-one.
A bailiff with a hidden passion for trampolines.
An interpreter of whistled language in a ravine village.
A crane operator who sketches rooftops from above.
A cartographer charting the smells of her home city.
A lottery winner working as a lollipop lady all the same.
A tea taster with a cold and a deadline.
A salt carrier on a camel route older than writing.
A bridge painter who begins again as soon as he ends.
A voice coach to auctioneers and hog callers.
A window cleaner of skyscrapers afraid of stepladders.
An undertaker's apprentice with the sunniest laugh in the borough.
A perfumer trying to bottle the first day of holidays.
A mushroom forager who trusts only her pig.
An elevator attendant in a building of two floors.
A Viking-age dyer whose hands stay purple from lichen.
A Roman aqueduct surveyor with lead in his worries.
A court jester during the plague who collects riddles.
A pearl sorter able to hear fakes by rolling them over glass.
A union organiser among lift-bridge operators.
A statistician predicting the length of queues at carnivals.
A diplomat's spouse who opens a noodle club in each posting.
A skateboard shaper fond of Baroque lutes.
A referee for toddlers' swimming, unflappable and damp.
A snowplough operator composing sonnets for the verge.
A prison chaplain restoring a pinball table.
A bingo caller who was once a spy, probably.
A refugee lawyer who bakes when appeals fail.
A geothermal driller with a collection of hot-water bottles.
A rope walker on strike for a softer net.
A sommelier who secretly prefers ginger beer.
A translator for a deaf football team, loud in both hands.
A census taker in the outback who leaves each household a joke.
A barber whose mirror faces the wall at customers' request.
A cobbler who hums in the rhythm of the walker he repairs for.
A customs officer moved to tears by well-packed trunks.
A kite maker in Gujarat training for one windy week a year.
A physiotherapist for retired acrobats, unable to touch her toes.
A cider presser who grafts one forgotten apple every winter.
A subtitler of silent films searching for the right punctuation.
An umbrella mender in a city where it has not rained since spring.
`
  .trim()
  .split('\n')

import type { Page } from './page-index.js'

/** Pages about people and places that do not exist, so that no model knows the answers. */
export const ownPages: readonly Page[] = `
Arvensk
Arvensk is a town in Velmara. It lies on the River Serrin. It was founded in 1312. It grew rich on salt, which barges took down to the coast. It has 48,200 inhabitants.
Its clock tower was built twice, since the first one burned down in 1644. The spring fair on the long quay has been held since 1702. The railway reached it in 1840.

Dunmarrow
Dunmarrow is a town of Velmara. It lies on the River Ousk. The town was first mentioned in 1204. Iron was worked here long before the railway came. It has 127,400 inhabitants.
Students of the mining school fill the cafes of the lower town. A glass market hall stands where the old walls were. The railway reached it in 1843.

Pelloway
Pelloway is a town in Velmara. It lies on the River Serrin. It was founded in 1588. Weavers from the hills settled here after the flood of 1586. It has 21,900 inhabitants.
Its narrow lanes are named after birds. Every autumn a regatta of flat boats ends at the stone steps. The railway reached it in 1846.

Quillhaven
Quillhaven is a town of Talune. It lies on the River Lanter. The town was first mentioned in 1190. It is the largest port of the country. It has 305,600 inhabitants.
The harbour quarter was laid out by a surveyor who had never seen the sea. Its university has a chair for the history of maps. The railway reached it in 1849.

Mossbry
Mossbry is a town in Talune. It lies on the River Mirrow. It was founded in 1701. Peat cutters founded it at the edge of the moor. It has 9,800 inhabitants.
A tram line of two stops was its pride until 1952. Its bakers are known for a dark loaf with caraway. The railway reached it in 1852.

Tarnholt
Tarnholt is a town of Talune. It lies on the River Lanter. The town was first mentioned in 1433. Clocks and measuring instruments have been made here since 1760. It has 64,300 inhabitants.
The upper town can be reached by a water lift. In 1811 the town council met in a boat, since the hall was flooded. The railway reached it in 1855.

Keswaith
Keswaith is a town in Ostrany. It lies on the River Dellen. It was founded in 1266. Its glass furnaces used sand from the bed of the river. It has 88,700 inhabitants.
The old abbey is a school now. A covered bridge joins the two halves of the market. The railway reached it in 1858.

Orlegate
Orlegate is a town of Ostrany. It lies on the River Dellen. The town was first mentioned in 1640. It began as a toll gate on the road to the pass. It has 15,400 inhabitants.
The houses of the main street are painted by a plan of 1790. Its brass band has played at the new year since 1868. The railway reached it in 1861.

Havrin
Havrin is a town in Ostrany. It lies on the River Brannoch. It was founded in 1151. Shipbuilding made it the second town of the country. It has 212,000 inhabitants.
Its fish hall was the first in the region with electric light. The botanical garden keeps nine kinds of wild rose. The railway reached it in 1864.

Lisk
Lisk is a town of Brevony. It lies on the River Tolle. The town was first mentioned in 1377. Biscuits and woollen cloth are its main trades. It has 33,500 inhabitants.
A castle of red stone looks down on the ford. The town library was given by a retired sea captain. The railway reached it in 1867.

Cormeny
Cormeny is a town in Brevony. It lies on the River Tolle. It was founded in 1289. It is known for its trams, which climb the hill without a cog rail. It has 171,300 inhabitants.
Seven bakeries share the square in front of the theatre. An observatory was added to the university in 1873. The railway reached it in 1870.

Ebbersley
Ebbersley is a town of Brevony. It lies on the River Wend. The town was first mentioned in 1755. Shepherds from the uplands founded it around a well. It has 5,700 inhabitants.
Its only tower belongs to the fire brigade. The wool auction in June draws buyers from the whole country. The railway reached it in 1873.

Velmara
Velmara is a country in the north. Its capital is Dunmarrow. It has been a republic since 1848. Its coast faces the Gulf of Hale. Its money is the krone of Velmara.

Talune
Talune is a country in the north. Its capital is Quillhaven. It has been a republic since 1793. Its moors cover a third of the land. Its money is the lanter mark.

Ostrany
Ostrany is a country in the north. Its capital is Havrin. It has been a republic since 1871. A mountain pass joins it to Brevony. Its money is the dellen pound.

Brevony
Brevony is a country in the north. Its capital is Cormeny. It has been a republic since 1815. Its uplands are known for sheep. Its money is the tolle florin.

River Ousk
The River Ousk is a river in Velmara. It is 143 kilometres long. It flows into the Gulf of Hale. Among the towns on it is Dunmarrow. Salmon have come back to it since 1994.

River Lanter
The River Lanter is a river in Talune. It is 388 kilometres long. It flows into the Bay of Quills. Among the towns on it are Quillhaven and Tarnholt. Salmon have come back to it since 1994.

River Mirrow
The River Mirrow is a river in Talune. It is 97 kilometres long. It flows into the River Lanter. Among the towns on it is Mossbry. Salmon have come back to it since 1994.

River Dellen
The River Dellen is a river in Ostrany. It is 264 kilometres long. It flows into the Bay of Quills. Among the towns on it are Keswaith and Orlegate. Salmon have come back to it since 1994.

River Brannoch
The River Brannoch is a river in Ostrany. It is 121 kilometres long. It flows into the Sound of Havrin. Among the towns on it is Havrin. Salmon have come back to it since 1994.

River Tolle
The River Tolle is a river in Brevony. It is 301 kilometres long. It flows into the Gulf of Hale. Among the towns on it are Lisk and Cormeny. Salmon have come back to it since 1994.

River Wend
The River Wend is a river in Brevony. It is 78 kilometres long. It flows into the River Tolle. Among the towns on it is Ebbersley. Salmon have come back to it since 1994.

River Serrin
The River Serrin is a river in Velmara. It is 214 kilometres long. It flows into the Gulf of Hale. Among the towns on it are Arvensk and Pelloway. Salmon have come back to it since 1994.

Serrin
Serrin may refer to:
River Serrin, a river in Velmara
Serrin (film), a film of 1979
Serrin (typeface), a typeface of 1926

Serrin (typeface)
Serrin is a typeface of 1926. It was cut in Arvensk for timetables. Its figures are all of one width. The printers of Pelloway used it for posters. A digital version was made in 2008.

Ilse Marwen
Ilse Marwen (1871 to 1940) was a Velmaran novelist. Marwen was born in Pelloway. Her first novel appeared when she was a schoolteacher. She wrote in the mornings and kept bees in the afternoons. Her best known books are The Salt Ledger and The Glass Orchard.

Corvin Haddle
Corvin Haddle (1902 to 1978) was a Talunese novelist. Tarnholt was the place of birth of Corvin Haddle. He trained as a clockmaker before he turned to books. A House for Crows made his name. He burned two finished manuscripts in 1947.

Bram Ottery
Bram Ottery (1889 to 1955) was a Brevonian novelist. Born in Lisk, Ottery grew up near the market. He had been a postman for eleven years. The Lamplighter's Debt was printed in forty editions. He never gave an interview.

Oriel Vasterby
Oriel Vasterby (1934 to 2011) was an Ostranian novelist. Vasterby was born in Keswaith. She studied law and never practised it. Winter Ferry is her only long novel. Her letters were published after her death.

Senna Aldwick
Senna Aldwick (born 1948) is an Ostranian film director. Havrin was the place of birth of Senna Aldwick. She began as a photographer of ships. Her films are slow and full of water. She taught at the film school from 1990.
A festival in the fish hall shows her work every second year.

Tomas Verrell
Tomas Verrell (1931 to 2009) was a Talunese film director. Born in Quillhaven, Verrell grew up near the market. He was a stage actor until 1960. The Paper Harbour is regarded as his finest work. He edited his films at home.

Junia Pask
Junia Pask (born 1966) is a Brevonian film director. Pask was born in Cormeny. Her mother drove a tram. She made advertisements for ten years. Trams occur in almost all of her films.

Ewald Strome
Ewald Strome (born 1957) is a Velmaran film director. Dunmarrow was the place of birth of Ewald Strome. He first worked in a steel mill. His films show roads and people who leave. He lives in Arvensk.

Hester Quoyle
Hester Quoyle (1843 to 1919) was an Ostranian composer. Born in Orlegate, Quoyle grew up near the market. She wrote five operas and some songs. She conducted the brass band of her town as a girl. For twenty years she taught the viola at the conservatory of Havrin.

Anselm Brode
Anselm Brode (1868 to 1937) was a Talunese composer. Brode was born in Mossbry. His first opera was a failure. He collected the songs of peat cutters. At the academy of Quillhaven he taught the oboe.

Lavra Tenning
Lavra Tenning (1912 to 1999) was a Velmaran composer. Arvensk was the place of birth of Lavra Tenning. She lost the hearing of her left ear as a child. Her operas are short. She taught the harp in Dunmarrow until she was eighty.

Piet Galloran
Piet Galloran (born 1939) is a Brevonian composer of film music. Born in Ebbersley, Galloran grew up near the market. He learned to play on the organ of a village church. He has worked with Senna Aldwick and Ewald Strome. His music often has a single clarinet.
He keeps sheep. Galloran won the Silver Lyre Prize in 1992.

Nadia Wexcombe
Nadia Wexcombe (born 1951) is a Talunese composer of film music. Wexcombe was born in Tarnholt. She was a child pianist. Her music for The Paper Harbour was written in nine days. She records with small orchestras.
Her archive is in Quillhaven. Wexcombe won the Halden Prize in 1987.

Rurik Amsel
Rurik Amsel (born 1972) is a Brevonian composer of film music. Lisk was the place of birth of Rurik Amsel. He played the drums in a dance band. He has written the music of all films by Junia Pask since 1999. He builds instruments from old looms.
Critics call his style dry. Amsel won the Golden Reed Award in 2004.

Dagny Holloran
Dagny Holloran (1829 to 1901) was a Velmaran engineer. Born in Dunmarrow, Holloran grew up near the market. She drew her first bridge at fifteen. She was an engineer of the Brannoch Ironworks for thirty years. Her notebooks are kept in Havrin.

Fitz Emberley
Fitz Emberley (1854 to 1926) was a Brevonian engineer. Emberley was born in Cormeny. He walked the line of every bridge before he drew it. He was employed by the Tolle Valley Railway. A street in Lisk has his name.

Mirela Soames
Mirela Soames (1901 to 1983) was an Ostranian engineer. Havrin was the place of birth of Mirela Soames. She was among the first women to study engineering in the country. The Keswaith Cement Company employed her from 1927. She wrote a book on arches.

Osric Tamblyn
Osric Tamblyn (1880 to 1951) was a Brevonian architect. Born in Cormeny, Tamblyn grew up near the market. He had won a prize for a railway station at twenty-six. He liked thick walls and small windows. Most of his buildings stand abroad.

Yevra Linnet
Yevra Linnet (1925 to 2006) was a Talunese architect. Linnet was born in Quillhaven. She built with glass bricks when nobody else did. Her office had never more than four people. She gave up building in 1980 and bred horses.

Casimir Doune
Casimir Doune (1911 to 1990) was an Ostranian architect. Havrin was the place of birth of Casimir Doune. He began as a carpenter. His halls have roofs of laminated timber. He refused all honours.

Alda Renwick
Alda Renwick (1822 to 1897) was an Ostranian shipbuilder. Born in Havrin, Renwick grew up near the market. She took over the rope walk of her father. In 1851 she founded Northquay Shipyard. Her workers had a school and a choir.

Jorun Pell
Jorun Pell (1860 to 1938) was a Talunese shipbuilder. Pell was born in Quillhaven. He went to sea at twelve. Greywater Yard, which he founded in 1894, built freighters. He left his fortune to a lifeboat society.

Matthias Crake
Matthias Crake (1875 to 1949) was a Velmaran shipbuilder. Arvensk was the place of birth of Matthias Crake. He was the son of a salt carter. He founded the Bell Slip Works in 1908. His yard closed in 1961.

Verity Sloan
Verity Sloan (1849 to 1917) was a Talunese doctor. Born in Quillhaven, Sloan grew up near the market. She fought the fever of 1888 with clean water. The town gave her a house, which she made a hospital. She played chess by post.

Hugo Farnaby
Hugo Farnaby (1858 to 1930) was a Velmaran miner and mayor. Farnaby was born in Dunmarrow. He led the rescue at the Old Deep pit in 1883. He was mayor from 1896 to 1910. He kept racing pigeons.

Edda Mirren
Edda Mirren (1840 to 1913) was an Ostranian teacher. Havrin was the place of birth of Edda Mirren. She opened a school for the children of dockers. She let them play ball on her own meadow. Her diaries fill sixty volumes.

Thea Rosmund
Thea Rosmund (1833 to 1908) was an Ostranian botanist. Born in Keswaith, Rosmund grew up near the market. She crossed the pass on foot eleven times. Her herbarium has nine thousand sheets. Rosmund's bellwort is named after her.

Lucan Fairweather
Lucan Fairweather (1876 to 1944) was a Brevonian botanist. Fairweather was born in Ebbersley. He was a parson who preferred the hills to his church. Fairweather's saxifrage is named after him. He drew each plant life size.

Perpetua Inch
Perpetua Inch (1918 to 2002) was a Talunese botanist. Mossbry was the place of birth of Perpetua Inch. She counted seeds for a living. Inch's gentian is named after her. She taught herself four languages.

Odile Carrow
Odile Carrow (1838 to 1912) was a Velmaran painter. Born in Arvensk, Carrow grew up near the market. She painted markets and kitchens. She was a pupil of Gustav Pellerin. The Eel Market hung in a tavern for forty years.

Nils Hammerby
Nils Hammerby (1860 to 1941) was an Ostranian painter. Hammerby was born in Havrin. He painted the same harbour two hundred times. Marit Osgood taught him to paint. He sold nothing until he was fifty.

Wenna Thorley
Wenna Thorley (1899 to 1970) was a Velmaran painter. Pelloway was the place of birth of Wenna Thorley. She is known for pictures of women at work. Abel Quince was her teacher. She signed her pictures on the back.

Gustav Pellerin
Gustav Pellerin (1801 to 1879) was a Brevonian painter. Born in Lisk, Pellerin grew up near the market. He ran a school of drawing above a stable. His own pictures are mostly lost. He was said to teach with his eyes shut.

Marit Osgood
Marit Osgood (1827 to 1903) was an Ostranian painter. Osgood was born in Orlegate. She painted snow. She had lessons for fishermen on Sundays. A museum in Keswaith has her brushes.

Abel Quince
Abel Quince (1864 to 1935) was a Brevonian painter. Ebbersley was the place of birth of Abel Quince. He painted signs for inns. He founded a summer school of painting in Pelloway. His colours have faded badly.

The Salt Ledger
The Salt Ledger is a novel by Ilse Marwen. It was published in 1903. A merchant forges the accounts of a dead partner. It was well received at first. A stage version followed ten years later.

The Glass Orchard
The Glass Orchard is a novel of 1911. Its author is Ilse Marwen. Two sisters inherit a garden under glass. It was coolly received at first. A stage version followed four years later.

A House for Crows
A House for Crows is a novel by Corvin Haddle. It was published in 1938. A family moves into a tower that nobody wants. It was hardly received at first. A stage version followed six years later.

Slow Bells
Slow Bells is a novel of 1951. Its author is Corvin Haddle. A bell founder falls out with his town. It was well received at first. A stage version followed ten years later.

The Lamplighter's Debt
The Lamplighter's Debt is a novel by Bram Ottery. It was published in 1921. A lamplighter is paid for a light that he never lit. It was coolly received at first. A stage version followed four years later.

Winter Ferry
Winter Ferry is a novel of 1969. Its author is Oriel Vasterby. Passengers of a ferry are held by the ice for a month. It was hardly received at first. A stage version followed six years later.

Serrin (film)
Serrin is a film of 1979, directed by Senna Aldwick. A ferryman waits for a flood. The music is by Piet Galloran. It was shot in eleven weeks.

The Cartwright Affair
The Cartwright Affair is a film by Senna Aldwick. It came out in 1986. A clerk hides a letter for thirty years. The music is by Nadia Wexcombe. It was shot in seven weeks.

The Paper Harbour
The Paper Harbour is a film of 1974, directed by Tomas Verrell. A boy builds a port of newspapers. The music is by Nadia Wexcombe. It was shot in five weeks.

Quiet Machinery
Quiet Machinery is a film by Junia Pask. It came out in 2003. A night shift finds that its factory has been sold. The music is by Rurik Amsel. It was shot in eleven weeks.

Nightjar Road
Nightjar Road is a film of 1991, directed by Ewald Strome. A driver gives a lift to his own brother without knowing it. The music is by Piet Galloran. It was shot in seven weeks.

Last Tram to Mossbry
Last Tram to Mossbry is a film by Junia Pask. It came out in 1999. Strangers share the last tram before the line is closed. The music is by Rurik Amsel. It was shot in five weeks.

Dellen Viaduct
The Dellen Viaduct crosses the River Dellen. It was finished in 1867. It was designed by Dagny Holloran. It is 412 metres long. It has twenty-one arches.

Saint Orla Bridge
The Saint Orla Bridge crosses the River Tolle. It was finished in 1889. Fitz Emberley designed it. It is 288 metres long. Its towers were added later.

Harrow Ferry Bridge
The Harrow Ferry Bridge crosses the River Brannoch. It was finished in 1938. It was designed by Mirela Soames. It is 655 metres long. A footpath was hung below it in 1977.

Brannoch Ironworks
The Brannoch Ironworks was a company that cast rails, bridges and stoves. It was founded in 1811. At its height it had four thousand workers. It was wound up in 1958. Its records are kept in a public archive.

Tolle Valley Railway
The Tolle Valley Railway was a company that ran trains from Cormeny to Lisk. It was founded in 1828. At its height it had two thousand workers. It was wound up in 1962. Its records are kept in a public archive.

Keswaith Cement Company
The Keswaith Cement Company was a company that made cement and concrete pipes. It was founded in 1845. At its height it had three thousand workers. It was wound up in 1966. Its records are kept in a public archive.

The Weaver of Lisk
The Weaver of Lisk is an opera in three acts. The music is by Hester Quoyle. It was first performed in 1881. The libretto is taken from a ballad. It lasts about three hours.

The Frozen Bell
The Frozen Bell is an opera in two acts. It was composed by Anselm Brode. It was first performed in 1907. Its overture is often played alone. It lasts about two hours.

Ansa and the Miller
Ansa and the Miller is an opera in four acts. The music is by Lavra Tenning. It was first performed in 1949. The last scene is spoken. It lasts about one hours.

Arvensk Salt Museum
The Arvensk Salt Museum is a museum in Arvensk. Its building was designed by Osric Tamblyn. It was finished in 1934. Visitors can rake salt in the yard. It has sixty thousand visitors a year.

Museum of Northern Glass
The Museum of Northern Glass is a museum in Keswaith. Yevra Linnet was the architect of its building. It was finished in 1968. A furnace is fired on Saturdays. It has ninety thousand visitors a year.

Cormeny Tram Museum
The Cormeny Tram Museum is a museum in Cormeny. Its building was designed by Casimir Doune. It was finished in 1959. Nineteen trams are kept in running order. It has forty thousand visitors a year.

Northquay Shipyard
Northquay Shipyard was a shipyard in Havrin. It was founded by Alda Renwick in 1851. It built ninety ships. Its great crane is a landmark. It is remembered in a song of dock workers.

Greywater Yard
Greywater Yard was a shipyard in Quillhaven. Its founder was Jorun Pell. It built two hundred ships. A flood damaged it in 1931. It is remembered in a song of dock workers.

Bell Slip Works
The Bell Slip Works was a shipyard in Arvensk. It was founded by Matthias Crake in 1908. It built sixty ships. Its slipways are a park today. It is remembered in a song of dock workers.

SS Aurelind
SS Aurelind was a passenger steamer. It was built at Northquay Shipyard and launched in 1882. It carried four hundred passengers. It was sold in 1909. A model is shown in Havrin.

MV Tessaly
MV Tessaly was a motor freighter. It was built at Greywater Yard and launched in 1929. It carried grain and timber. It was renamed twice. A model is shown in Havrin.

SS Corran Light
SS Corran Light was a lighthouse tender. It was built at the Bell Slip Works and launched in 1913. It served eleven lighthouses. It ran aground in 1940 without loss of life. A model is shown in Havrin.

Quillhaven Rovers
Quillhaven Rovers is a football club from Quillhaven. It was founded in 1893. Its home ground is Sloan Park. Its colours are blue and white. Its youth teams have won several titles.

Sloan Park
Sloan Park is a football ground in Quillhaven. It is the home of Quillhaven Rovers. It was named after Verity Sloan. It holds 31,000 spectators. The north stand was rebuilt in 1988.

Dunmarrow Athletic
Dunmarrow Athletic is a football club from Dunmarrow. It was founded in 1901. It plays at home at Farnaby Field. Its players are called the Picks. Its youth teams have won several titles.

Farnaby Field
Farnaby Field is a football ground in Dunmarrow. It is the home of Dunmarrow Athletic. It was named after Hugo Farnaby. It holds 18,500 spectators. The west stand was rebuilt in 1994.

Havrin Wanderers
Havrin Wanderers is a football club from Havrin. It was founded in 1887. Its home ground is Mirren Ground. It won the national cup in 1926. Its youth teams have won several titles.

Mirren Ground
Mirren Ground is a football ground in Havrin. It is the home of Havrin Wanderers. It was named after Edda Mirren. It holds 24,200 spectators. The south stand was rebuilt in 2000.

Petrel Instruments
Petrel Instruments is a company that makes barometers and compasses. It was founded in 1871. Its head office is in Tarnholt. Its brass compass has been made without change since 1903. It belongs to its workers.

Oskar and Daughters
Oskar and Daughters is a company that makes biscuits. It was founded in 1902. The company has its head office in Lisk. Its tins are collected. It belongs to its workers.

Marlowe Looms
Marlowe Looms is a company that makes weaving machines. It was founded in 1846. Its head office is in Keswaith. Its machines are used in nineteen countries. It belongs to its workers.

Rosmund's bellwort
Rosmund's bellwort is a plant of the mountains. It is named after the botanist Thea Rosmund. It was discovered on Mount Cairl. It has white flowers. Goats do not eat it.

Mount Cairl
Mount Cairl is a mountain in Ostrany. It is 2140 metres high. A path leads to the top from the north. A hut stands below the summit. It was mapped in 1829.

Fairweather's saxifrage
Fairweather's saxifrage is a plant of the mountains. It is named after the botanist Lucan Fairweather. The plant was discovered on Grey Tooth. It has yellow flowers. It grows in cracks of the rock.

Grey Tooth
Grey Tooth is a mountain in Brevony. It is 1876 metres high. A path leads to the top from the east. Its top is bare. It was mapped in 1849.

Inch's gentian
Inch's gentian is a plant of the mountains. It is named after the botanist Perpetua Inch. It was discovered on Mount Ollard. It has violet flowers. It closes before rain.

Mount Ollard
Mount Ollard is a mountain in Talune. It is 1322 metres high. A path leads to the top from the south. Peat was cut on its slopes. It was mapped in 1869.

The Eel Market
The Eel Market is a painting of 1871. It was painted by Odile Carrow. It shows a market before dawn. It is painted on oak. It was cleaned in 1985.

Morning in Havrin
Morning in Havrin is a painting of 1902. It is by Nils Hammerby. It shows a harbour in mist. It is unsigned. It was cleaned in 1990.

Women Ironing Sails
Women Ironing Sails is a painting of 1934. It was painted by Wenna Thorley. It shows a loft above a harbour. It is larger than a door. It was cleaned in 1995.

Silver Lyre Prize
The Silver Lyre Prize is a prize for film music. It has been given since 1955. The jury has five members. Winners receive a small harp of silver. The ceremony is held in Havrin.

Halden Prize
The Halden Prize is a prize for film music. It has been given since 1964. The jury has seven members. Winners receive a small bell. The ceremony is held in Quillhaven.

Golden Reed Award
The Golden Reed Award is a prize for film music. It has been given since 1973. The jury has eleven members. Winners receive a small flute. The ceremony is held in Cormeny.

Lisk Castle
Lisk Castle is a castle of red stone above the ford of Lisk. It was built in 1402. A fire destroyed its chapel. The cellars are let to a brewery. Concerts are held in the yard.

Quillhaven Observatory
Quillhaven Observatory is an observatory on the edge of Quillhaven. It was founded in 1851. Its dome turns by hand. A comet was found there in 1907. It is run by volunteers.

Dunmarrow Abbey
Dunmarrow Abbey is a ruin near Dunmarrow. Monks left it in 1541. Its stones were used for the town walls. Jackdaws nest in the tower. A market is held in the nave in May.

Tarnholt Water Lift
The Tarnholt Water Lift joins the two parts of Tarnholt. It was finished in 1884. It works by the weight of water. A ride takes ninety seconds. It stops in frost.

Gulf of Hale
The Gulf of Hale is a gulf on the coast of Velmara and Brevony. It is shallow. Its tides are weak. Ferries cross it in two hours. Oysters are farmed on its southern shore.

Pelloway Regatta
The Pelloway Regatta is a race of flat boats on the River Serrin. It is held in autumn. It was first held in 1846. Crews have six rowers. The last boat wins a ham.

Corvin Haddle Prize
The Corvin Haddle Prize is a prize for a first novel. It has been given in Tarnholt since 1981. The winner gets a clock. It is given every third year. It was not given in 1999.

Salt Road
The Salt Road is an old road from Arvensk to the coast. Carts needed nine days for it. Its inns have blue doors. Part of it is a footpath now. A museum in Arvensk tells its story.
`
  .trim()
  .split('\n\n')
  .map((page) => ({ title: page.slice(0, page.indexOf('\n')), text: page.slice(page.indexOf('\n') + 1) }))

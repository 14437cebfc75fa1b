import { seedOf } from '../../answers/random.ts'

export type CataloguePlugin = {
  id: string
  namespace: string
  name: string
  description: string
  domain: string
  categories: readonly Category[]
}
type Category = 'most_popular' | 'newly_added'

/** Invented plugins: namespace, name, what it does, and where the store shows it (p: most popular, n: newly added). */
const LIST: readonly (readonly [string, string, string, string?])[] = [
  ['trailmapper', 'Trail Mapper', 'Plans walks and bicycle tours with heights, shelters and water.', 'p'],
  [
    'pantrychef',
    'Pantry Chef',
    'Finds recipes for what is in the kitchen, with quantities for any number of guests.',
    'p',
  ],
  ['papertrail', 'Paper Trail', 'Searches open research papers and quotes the passages that matter.', 'p'],
  ['railboard', 'Rail Board', 'Timetables, connections and platforms of railways.', 'p'],
  ['skywatch', 'Sky Watch', 'Weather for the next ten days, with rain by the hour.', 'p'],
  ['formulary', 'Formulary', 'Calculates, solves equations and draws functions.', 'p'],
  ['ledgerlight', 'Ledger Light', 'Reads a household’s accounts and sums them up by month and kind.', 'p'],
  ['wordroots', 'Word Roots', 'Etymology, usage and translations of words in forty languages.', 'p'],
  ['housefinder', 'House Finder', 'Flats and houses to rent, by commuting time and price.', 'p'],
  ['chartsmith', 'Chart Smith', 'Draws charts from tables and explains them.', 'p'],
  ['museumguide', 'Museum Guide', 'Opening hours, exhibitions and quiet times of museums.', 'p'],
  ['seedbank', 'Seed Bank', 'What to sow, when, and next to what, by climate.', 'p'],
  ['docquery', 'Doc Query', 'Answers from a PDF behind an address, page by page.', 'n'],
  ['nightsky', 'Night Sky', 'Planets, meteors and passes of satellites above any town.', 'n'],
  ['tidetable', 'Tide Table', 'Tides and currents of harbours.', 'n'],
  ['boardgames', 'Board Game Shelf', 'Games for a number of players and an evening’s length.', 'n'],
  ['mender', 'Mender', 'Repairs for household things, step by step, with the tools they take.', 'n'],
  ['birdsong', 'Bird Song', 'Which bird sings like that, by region and season.', 'n'],
  ['lawreader', 'Law Reader', 'Looks up statutes and explains their words; no advice.', 'n'],
  ['oldmaps', 'Old Maps', 'Historic maps of a town, and what stood there.', 'n'],
  ['flowchart', 'Flow Chart', 'Turns a description into a diagram.', 'pn'],
  ['mindweaver', 'Mind Weaver', 'Mind maps that fold and unfold.', 'n'],
  ['citecheck', 'Cite Check', 'Checks whether a cited work exists and says so.', 'n'],
  ['unitwise', 'Unitwise', 'Converts units, also old and regional ones.'],
  ['meterreader', 'Meter Reader', 'Compares tariffs for electricity and gas.'],
  ['ferryline', 'Ferry Line', 'Ferries between islands, with vehicles and bicycles.'],
  ['choirbook', 'Choir Book', 'Sheet music in the public domain, by voices and length.'],
  ['allergen', 'Allergen Check', 'What a dish usually contains, and what to ask for.'],
  ['namesmith', 'Name Smith', 'Names for products and projects, with what they mean elsewhere.'],
  ['examcoach', 'Exam Coach', 'Asks questions on a subject and repeats what went wrong.'],
  ['regexlab', 'Regex Lab', 'Explains and tests regular expressions.'],
  ['querypad', 'Query Pad', 'Writes SQL for a described schema and runs it on samples.'],
  ['apiscout', 'API Scout', 'Finds public interfaces and their limits.'],
  ['colourwheel', 'Colour Wheel', 'Palettes that everybody can tell apart.'],
  ['cityhall', 'City Hall', 'Forms, fees and opening hours of public offices.'],
  ['secondhand', 'Second Hand', 'Used things nearby, by price and condition.'],
  ['volunteer', 'Volunteer Board', 'Places where help is needed this week.'],
  ['slowtravel', 'Slow Travel', 'Journeys without flying, with nights on the way.'],
  ['dicebox', 'Dice Box', 'Throws dice, draws cards, and shows the odds.'],
  ['poemclock', 'Poem Clock', 'A poem in the public domain for each hour.'],
  ['wordcount', 'Word Count', 'Readability, length and repetitions of a text.'],
  ['firstaid', 'First Aid Card', 'What to do first, as cards to print.'],
]

export const CATALOGUE: readonly CataloguePlugin[] = LIST.map(([namespace, name, description, shown = '']) => ({
  id: idOf(namespace),
  namespace,
  name,
  description,
  domain: `${namespace}.example`,
  categories: [
    ...(shown.includes('p') ? (['most_popular'] as const) : []),
    ...(shown.includes('n') ? (['newly_added'] as const) : []),
  ],
}))

/** An id that is the same on every machine. */
function idOf(namespace: string): string {
  const part = (salt: string, length: number) =>
    seedOf(`${salt}${namespace}`).toString(16).padStart(8, '0').slice(0, length)
  return `plugin-${part('a', 8)}-${part('b', 4)}-4${part('c', 3)}-8${part('d', 3)}-${part('e', 8)}${part('f', 4)}`
}

const TITLES: Record<Category, string> = { most_popular: 'Most popular', newly_added: 'New' }

/** A plugin as the store lists it. */
export function storeEntry(plugin: CataloguePlugin, is_installed: boolean) {
  const { id, namespace, name, description, domain, categories } = plugin
  return {
    id,
    domain,
    namespace,
    status: 'approved',
    manifest: {
      schema_version: 'v1',
      name_for_model: namespace,
      name_for_human: name,
      description_for_model: `${description} Use it whenever the question is about that.`,
      description_for_human: description,
      auth: { type: 'none' },
      api: { type: 'openapi', url: `https://${domain}/openapi.yaml` },
      logo_url: `https://${domain}/logo.png`,
      contact_email: `hello@${domain}`,
      legal_info_url: `https://${domain}/terms`,
    },
    oauth_client_id: null,
    user_settings: { is_installed, is_authenticated: true },
    categories: categories.map(category => ({ id: category, title: TITLES[category] })),
  }
}

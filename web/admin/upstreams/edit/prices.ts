import { PriceChange, type ModelPrice } from '#contract/prices.ts'

export const AMOUNTS = ['input', 'cached_input', 'output', 'picture'] as const
export type AmountName = (typeof AMOUNTS)[number]

/** What a model costs, as it is typed. Blank: not known. */
export type TypedPrice = Record<AmountName, string> & { free: boolean }

/** By the codes of the models. */
export type PriceFields = Readonly<Record<string, TypedPrice>>

export const NO_PRICE: TypedPrice = { input: '', cached_input: '', output: '', picture: '', free: false }

export const typedPrice = ({ free, ...amounts }: Omit<ModelPrice, 'model' | 'name' | 'by' | 'from'>): TypedPrice => ({
  input: textOf(amounts.input),
  cached_input: textOf(amounts.cached_input),
  output: textOf(amounts.output),
  picture: textOf(amounts.picture),
  free,
})

/** Small amounts as people write them, not as 1e-7. */
const textOf = (amount: number | null): string => (amount === null ? '' : amount.toFixed(6).replace(/\.?0+$/, ''))

/** In the form in which it is sent; what is no number stays text, which the contract refuses. */
export const sentPrice = (model: string, { free, ...typed }: TypedPrice): PriceChange => ({
  model,
  input: amountOf(typed.input),
  cached_input: amountOf(typed.cached_input),
  output: amountOf(typed.output),
  picture: amountOf(typed.picture),
  free,
})

function amountOf(text: string): number | null {
  const plain = text.trim().replace(',', '.')
  return plain === '' ? null : plain.startsWith('+') ? Number.NaN : Number(plain)
}

/** Which of the amounts the contract refuses. */
export function wrongIn(typed: TypedPrice): AmountName[] {
  const { error } = PriceChange.safeParse(sentPrice('model', typed))
  const paths = new Set(error?.issues.map(({ path }) => String(path[0])))
  return AMOUNTS.filter(name => paths.has(name))
}

type PastedPrices = {
  prices: PriceFields
  /** Names of models that this account does not have. */
  unknown: string[]
}

/** What the columns of a table are called, in the languages of the page and in those of lists of prices. */
const HEADS: Record<AmountName, RegExp> = {
  cached_input: /cache|缓存/i,
  picture: /image|picture|图|gambar/i,
  input: /^in\b|input|prompt|输入|masuk/i,
  output: /^out\b|output|completion|输出|keluar/i,
}
/** Without a line of names: in and out; with what is cached between them; and a picture behind. */
const ORDERS: Record<number, readonly AmountName[]> = {
  2: ['input', 'output'],
  3: ['input', 'cached_input', 'output'],
  4: AMOUNTS,
}
const MAX_LINES = 5_000

/** Prices from a table that was pasted, or a CSV: a model in the first column, amounts in the others. */
export function pastedPrices(text: string, models: readonly { model: string; name: string }[]): PastedPrices {
  const lines = text.split(/\r?\n/).slice(0, MAX_LINES)
  const rows = lines.map(line => cellsIn(line)).filter(cells => cells.length > 1)
  const head = columnsOf(rows[0] ?? [])
  const prices: Record<string, TypedPrice> = {}
  const unknown: string[] = []
  for (const [said = '', ...cells] of head === null ? rows : rows.slice(1)) {
    const columns = head ?? ORDERS[Math.min(cells.length, 4)] ?? []
    const amounts = columns.flatMap((name, at) =>
      name === null ? [] : [[name, plainAmount(cells[at] ?? '')] as const],
    )
    const found = models.find(({ model, name }) => [model, name].some(each => isSameName(each, said)))
    if (found === undefined) unknown.push(said)
    else prices[found.model] = { ...NO_PRICE, ...Object.fromEntries(amounts) }
  }
  return { prices, unknown }
}

const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

function cellsIn(line: string): string[] {
  const separator = ['\t', ';', '|', ','].find(each => line.includes(each)) ?? /\s{2,}/
  const cells = line.split(separator).map(cell => cell.trim().replace(/^"(.*)"$/, '$1'))
  // A table of Markdown has a line before and behind, and one of dashes.
  const inner = separator === '|' ? cells.slice(cells[0] === '' ? 1 : 0, cells.at(-1) === '' ? -1 : undefined) : cells
  return inner.every(cell => /^:?-*:?$/.test(cell)) ? [] : inner
}

/** The columns behind the first, where the line names them. */
function columnsOf([, ...cells]: readonly string[]): (AmountName | null)[] | null {
  const names = cells.map(cell => Object.entries(HEADS).find(([, pattern]) => pattern.test(cell))?.[0] ?? null)
  return names.some(name => name !== null) ? (names as (AmountName | null)[]) : null // the names of HEADS
}

/** "$2.50 / 1M" is 2.50; a dash is nothing. */
const plainAmount = (cell: string): string =>
  /\d[\d,.]*/.exec(cell.replaceAll(/\s/g, ''))?.[0]?.replace(/[.,]$/, '') ?? ''

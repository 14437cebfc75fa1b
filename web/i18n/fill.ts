import type { Language } from '#contract/preferences.ts'
import type { Parts, SlotValue } from './dictionary.ts'
import { LANGUAGE_ENTRIES, type SpanUnit } from './languages.ts'

/** `{count}` is the value; `{count|question|questions}` its singular and plural word. */
const SLOT = /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g

/** Puts the values into a text. A slot without a value is left, so that the mistake is seen. */
export function fill(text: string, values: Readonly<Record<string, SlotValue>>, language: Language): string {
  return text.replace(SLOT, (slot, name: string, one?: string, other?: string) => {
    const value = values[name]
    if (value === undefined) return slot
    if (one !== undefined && other !== undefined) return isOne(value, language) ? one : other
    return formatSlot(name, value, language)
  })
}

/**
 * The same in three parts, with the value of one slot in the middle. The slot is found before filling, since another
 * value may look alike.
 */
export function fillAround(
  text: string,
  slot: string,
  values: Readonly<Record<string, SlotValue>>,
  language: Language,
): Parts {
  const mark = `{${slot}}`
  const at = text.indexOf(mark)
  const filled = (part: string) => fill(part, values, language)
  return at === -1
    ? [filled(text), '', '']
    : [filled(text.slice(0, at)), filled(mark), filled(text.slice(at + mark.length))]
}

export function slotsOf(text: string): string[] {
  return [...new Set([...text.matchAll(SLOT)].map(([, name = '']) => name))].toSorted()
}

function isOne(value: SlotValue, language: Language): boolean {
  // half a thing is named as one
  return new Intl.PluralRules(language).select(Math.ceil(Number(value))) === 'one'
}

/**
 * Formats by the end of the slot's name: `_at` a moment, `_seconds` a span of time, `estimate_seconds` a waiting time,
 * `_bytes` a size, `count` how many, of which the last may be a half; other numbers with separators.
 */
function formatSlot(name: string, value: SlotValue, language: Language): string {
  if (typeof value === 'string') return name.endsWith('_at') ? formatMoment(value, language) : value
  if (name.endsWith('estimate_seconds') && value < SECONDS_BELOW) return formatUnit(value, 'second', language)
  if (name.endsWith('_seconds')) return formatSpan(value, language)
  if (name.endsWith('_bytes')) return formatBytes(value, language)
  return name === 'count' ? countText(value, language) : formatNumber(value, language)
}

/** In the reader's own zone: today its time of day, on any other day with the date. */
function formatMoment(moment: string, language: Language): string {
  const time = new Date(moment)
  if (Number.isNaN(time.getTime())) return moment
  const clock = [time.getHours(), time.getMinutes()].map(part => String(part).padStart(2, '0')).join(':')
  if (time.toDateString() === new Date().toDateString()) return clock
  return `${new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' }).format(time)} ${clock}`
}

/** Smaller numbers have no separator in any language, and so need no Intl format. */
const SEPARATED_FROM = 1_000

/** How many there are: asks are counted in halves as well, "35½". */
export function countText(count: number, language: Language): string {
  const whole = Math.trunc(count)
  if (Math.abs(count - whole) !== 0.5) return formatNumber(count, language)
  return whole === 0 ? (count < 0 ? '-½' : '½') : `${formatNumber(whole, language)}½`
}

function formatNumber(value: number, language: Language): string {
  return Number.isInteger(value) && Math.abs(value) < SEPARATED_FROM
    ? String(value)
    : new Intl.NumberFormat(language).format(value)
}

/** A waiting time below two minutes is given in seconds. */
const SECONDS_BELOW = 120

const SPANS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/**
 * In the largest unit that fits exactly or at least twice (minutes: once). Rounded up, so that nobody comes back too
 * early.
 */
export function formatSpan(seconds: number, language: Language): string {
  const [unit, size] =
    SPANS.find(([name, size]) => seconds === size || seconds >= (name === 'minute' ? size : size * 2)) ?? SPANS[3]
  return formatUnit(Math.ceil(seconds / size), unit, language)
}

function formatUnit(count: number, unit: SpanUnit, language: Language): string {
  return fill(LANGUAGE_ENTRIES[language].spans[unit], { count }, language)
}

const SIZES = [
  ['gigabyte', 2 ** 30],
  ['megabyte', 2 ** 20],
  ['kilobyte', 2 ** 10],
  ['byte', 1],
] as const

export function formatBytes(bytes: number, language: Language): string {
  const [unit, size] = SIZES.find(([, size]) => bytes >= size) ?? SIZES[3]
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    // Bytes in the short form have no plural in English.
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / size)
}

import { type Random, randomFrom } from '../../testing/random.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** A Monday, midnight in UTC: the zone of the simulation. */
export const START = Date.parse('2026-01-05T00:00:00Z')

export type Wish = { at: number; user_id: number }

export type Group = {
  name: string
  people: number
  /** Asks in a window of five hours, of a day, and of a week. */
  capacity: Record<'hours' | 'day' | 'week', number>
  /** How busy an hour of a working day and of a day off is, against the others. */
  curve: (hour: number, is_weekend: boolean) => number
}

/** A bell around an hour, over midnight too. */
const around = (hour: number, peak: number, width: number): number => {
  const distance = Math.min(Math.abs(hour - peak), 24 - Math.abs(hour - peak))
  return Math.exp(-((distance / width) ** 2) / 2)
}

const office = (hour: number, is_weekend: boolean): number =>
  is_weekend
    ? 0.02 + 0.12 * around(hour, 15, 4)
    : 0.02 + around(hour, 10.5, 1.6) + 0.9 * around(hour, 15, 1.9) + 0.15 * around(hour, 21, 2)

const laboratory = (hour: number, is_weekend: boolean): number =>
  is_weekend
    ? 0.03 + 0.4 * around(hour, 15, 4)
    : 0.03 + 0.8 * around(hour, 11, 2) + around(hour, 16, 2.5) + 0.5 * around(hour, 22, 2)

const home = (hour: number, is_weekend: boolean): number =>
  is_weekend
    ? 0.02 + 0.7 * around(hour, 11, 2.5) + 0.8 * around(hour, 20, 3)
    : 0.02 + 0.25 * around(hour, 8, 1.5) + around(hour, 20, 2.2)

export const GROUPS: readonly Group[] = [
  { name: 'family of 5', people: 5, capacity: { hours: 40, day: 60, week: 250 }, curve: home },
  { name: 'lab of 30', people: 30, capacity: { hours: 120, day: 240, week: 1_200 }, curve: laboratory },
  { name: 'company of 500', people: 500, capacity: { hours: 500, day: 1_000, week: 4_000 }, curve: office },
]

/**
 * People differ lognormally (sigma 1.1: the busiest tenth asks about two fifths of everything), each with own hours
 * around those of the group. They come in sittings, as a Poisson process that follows the hour; of a sitting the number
 * of asks is geometric (mean 5) and the time between them lognormal (median 80 seconds).
 */
const SIGMA = 1.1
const MEAN_ASKS = 5
const GAP = { median: 80_000, sigma: 0.9 }

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())

type Person = { user_id: number; activity: number; shift: number; days_off: ReadonlySet<number> }

function peopleOf({ people }: Group, random: Random): Person[] {
  return Array.from({ length: people }, (_, index) => ({
    user_id: index + 1,
    activity: Math.exp(SIGMA * normal(random)),
    shift: 1.5 * normal(random),
    // Two days of the week on which they never ask: each has habits.
    days_off: new Set([random.below(7), random.below(7)]),
  }))
}

/** How much a person asks in an hour, against the others and against their other hours. */
function intensity(group: Group, { activity, shift, days_off }: Person, day: number, hour: number): number {
  if (days_off.has(day % 7)) return 0
  return activity * group.curve((hour - shift + 24) % 24, day % 7 >= 5)
}

/**
 * What the people of a group want to ask in so many days, in order. `pressure`: how much is wanted in the window around
 * an ask, on average, against what the window has.
 */
export function wishesOf(
  group: Group,
  kind: 'hours' | 'day' | 'week',
  days: number,
  pressure: number,
  seed: number,
): Wish[] {
  const random = randomFrom(seed)
  const people = peopleOf(group, random)
  const scale = (pressure * group.capacity[kind]) / crowding(group, people, kind)
  const wishes: Wish[] = []
  for (const person of people)
    for (let slot = 0; slot < days * 24; slot++) {
      const expected = (scale * intensity(group, person, Math.floor(slot / 24), slot % 24)) / MEAN_ASKS
      for (let start = arrival(random, expected); start < 1; start += arrival(random, expected))
        addSitting(wishes, person.user_id, START + (slot + start) * HOUR, random)
    }
  return wishes.filter(({ at }) => at < START + days * DAY).toSorted((one, other) => one.at - other.at)
}

const arrival = (random: Random, expected: number): number =>
  expected <= 0 ? Infinity : -Math.log(1 - random.next()) / expected

function addSitting(wishes: Wish[], user_id: number, start: number, random: Random): void {
  let at = start
  do {
    wishes.push({ at: Math.round(at), user_id })
    at += GAP.median * Math.exp(GAP.sigma * normal(random))
  } while (random.next() < 1 - 1 / MEAN_ASKS)
}

/** Asks in the window around an ask, on average over the asks of a week, at a scale of 1. */
function crowding(group: Group, people: readonly Person[], kind: 'hours' | 'day' | 'week'): number {
  const hours = Array.from({ length: 168 }, (_, slot) =>
    people.reduce((sum, person) => sum + intensity(group, person, Math.floor(slot / 24), slot % 24), 0),
  )
  const total = hours.reduce((sum, each) => sum + each, 0)
  const length = { hours: 5, day: 24, week: 168 }[kind]
  const around = hours.map((_, slot) => {
    const first = kind === 'hours' ? slot - 2 : Math.floor(slot / length) * length
    return Array.from({ length }, (_, at) => hours[(first + at + 168) % 168] ?? 0).reduce((sum, each) => sum + each, 0)
  })
  return hours.reduce((sum, each, slot) => sum + each * (around[slot] ?? 0), 0) / total
}

import type { LimitWindow } from '../../contract/plans.ts'
import { printGoal, printTable } from '../figures.ts'
import { GROUPS, type Group, wishesOf } from './groups.ts'
import { fairness } from './fairness.ts'
import { type Outcome, simulate } from './simulate.ts'
import { SHARING_RULES, type SharingRuleName } from './sharingRules.ts'

const WINDOWS: { name: string; window: LimitWindow; kind: 'hours' | 'day' | 'week' }[] = [
  { name: 'rolling, 5 hours', window: { kind: 'rolling', seconds: 18_000 }, kind: 'hours' },
  { name: 'from first, 5 hours', window: { kind: 'from_first', seconds: 18_000 }, kind: 'hours' },
  { name: 'day', window: { kind: 'day' }, kind: 'day' },
  { name: 'week', window: { kind: 'week' }, kind: 'week' },
  { name: 'rolling, a week', window: { kind: 'rolling', seconds: 604_800 }, kind: 'week' },
]
const HISTORY_DAYS = 14
/** Of which the first two weeks are not counted; fewer for many people, who ask more. */
const daysOf = ({ people }: Group): number => (people > 100 ? 28 : 42)
const PRESSURE = 1.3
const SEED = 7
const MINUTE = 60_000

const names = Object.keys(SHARING_RULES) as SharingRuleName[]
const percent = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole)

/** The same weeks under four rules, in virtual time: the numbers are the same on every machine. */
export function sharesSection({ quick }: { quick: boolean }): void {
  for (const group of quick ? GROUPS.slice(0, 2) : GROUPS) for (const each of WINDOWS) printWindow(group, each)
}

type Outcomes = Record<SharingRuleName, Outcome>

function printWindow(group: Group, { name, window, kind }: (typeof WINDOWS)[number]): void {
  const wishes = wishesOf(group, kind, daysOf(group), PRESSURE, SEED)
  const amount = group.capacity[kind] * 1000
  const pool = { key: name, unit: 'asks' as const, amount, window, models: null }
  const given = { wishes, people: group.people, window: pool, history_days: HISTORY_DAYS }
  const outcomes = Object.fromEntries(names.map(rule => [rule, simulate(rule, given)])) as Outcomes
  const first = outcomes['first come'].served
  printTable(
    `${group.name}; ${name}: ${group.capacity[kind]} asks, ${outcomes['first come'].wanted} wanted in ${daysOf(group) - HISTORY_DAYS} days`,
    ['rule', 'use %', 'refused within share %', 'of all asks %', 'refused in all %', 'longest wait min', 'Jain'],
    names.map(rule => {
      const { served, within_share, refused_within_share, refused, wanted, longest_wait } = outcomes[rule]
      return [
        rule,
        percent(served, first).toFixed(1),
        percent(refused_within_share, within_share).toFixed(2),
        percent(refused_within_share, wanted).toFixed(2),
        percent(refused, wanted).toFixed(1),
        (longest_wait / MINUTE).toFixed(0),
        fairness(outcomes[rule], first).toFixed(3),
      ]
    }),
  )
  printAims(group, window, outcomes)
}

function printAims(group: Group, window: LimitWindow, outcomes: Outcomes): void {
  const ours = outcomes['shares that lend']
  const others = [outcomes.threshold, outcomes['equal quotas']]
  const within = (of: Outcome) => percent(of.refused_within_share, of.within_share)
  const use = percent(ours.served, outcomes['first come'].served)
  if (group.people > 5) {
    printGoal('use against first come', use, window.kind === 'rolling' ? 88 : 96, 'at least', ' %')
    printGoal('refused within their share', within(ours), window.kind === 'rolling' ? 2 : 1.5, 'at most', ' %')
  }
  printGoal(
    'served, against threshold and equal',
    ours.served,
    Math.max(...others.map(({ served }) => served)),
    'at least',
  )
  printGoal('refused in all, against both', ours.refused, Math.min(...others.map(({ refused }) => refused)))
  printGoal('refused within their share, against threshold', within(ours), within(outcomes.threshold), 'at most', ' %')
}

import { rotated, median, printGoal, printTable, threeDigits, sum } from '../figures.ts'
import type { Product } from '../product.ts'

/** The cheapest call of somebody who is signed in. */
const PATH = '/user/me'
/** A request whose path has one of the `filtered` words is not recorded. */
const KINDS = [
  { name: 'recorded', filtered: ['/status'] },
  { name: 'not recorded', filtered: ['/status', PATH] },
] as const
/**
 * Calls in a turn, how many of them at once, and turns in a round. Turns of both kinds alternate, since other work on
 * the machine disturbs single ones.
 */
const [CALLS, AT_ONCE, TURNS_A_ROUND] = [1_000, 10, 12]

/** The processor time of a call with recording and without, in one process that switches between the two. */
export async function recordingCost(product: Product, cookie: string, rounds: number): Promise<void> {
  const measured = KINDS.map(kind => ({ ...kind, microseconds: [] as number[] }))
  for (let turn = 0; turn <= rounds * TURNS_A_ROUND; turn += 1)
    for (const { filtered, microseconds } of rotated(measured, turn)) {
      await setFilter(product, cookie, filtered)
      const before = (await product.child.usage()).cpu_us
      for (let call = 0; call < CALLS; call += AT_ONCE)
        await Promise.all(Array.from({ length: AT_ONCE }, () => product.call(cookie, 'GET', PATH)))
      const after = (await product.child.usage()).cpu_us
      if (turn > 0) microseconds.push((after - before) / CALLS)
    }
  await setFilter(product, cookie, KINDS[0].filtered)
  printTable(
    `Processor time of a call of ${PATH}, microseconds, ${rounds * TURNS_A_ROUND} turns of ${CALLS} calls each`,
    ['', 'median', 'mean'],
    measured.map(({ name, microseconds }) => [
      name,
      threeDigits(median(microseconds)),
      threeDigits(sum(microseconds) / microseconds.length),
    ]),
  )
  const [on = NaN, off = NaN] = measured.map(({ microseconds }) => median(microseconds))
  printGoal('recording a request against the whole call', (on / off - 1) * 100, 2, 'at most', ' %')
}

function setFilter(product: Product, cookie: string, words: readonly string[]): Promise<unknown> {
  return product.call(cookie, 'PUT', '/system/config', { stats: { request_stats_filter_keywords: words } })
}

/** Milliseconds after which whoever gives way does so no longer. */
const LONGEST_WAIT = 250

/**
 * Who waits to write, in the order in which they came. Those that can wait a little give way to the others, until one of them has
 * waited too long: somebody in the queue may wait for the place that the ending of an ask makes free. Moments are milliseconds of a
 * clock that never goes back.
 */
export function writeQueue<Writer>(now: () => number = () => performance.now(), longest_wait = LONGEST_WAIT) {
  const others: Writer[] = []
  const givingWay: { writer: Writer; since: number }[] = []

  function isOverdue(): boolean {
    const [first] = givingWay
    return first !== undefined && now() - first.since > longest_wait
  }

  return {
    isEmpty: (): boolean => others.length + givingWay.length === 0,
    join(writer: Writer, lowPriority: boolean): void {
      if (lowPriority) givingWay.push({ writer, since: now() })
      else others.push(writer)
    },
    next(): Writer | undefined {
      if (others.length === 0 || isOverdue()) return givingWay.shift()?.writer
      return others.shift()
    },
  }
}

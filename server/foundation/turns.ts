const soon: (() => void)[] = []
const later: (() => void)[] = []

/**
 * At the end of this turn of the event loop. Done in a row, the same small work for many streams costs less than each by itself; and
 * all of it comes before long work that goes on. `work` throws nothing.
 */
export function atEndOfTurn(work: () => void): void {
  schedule(soon, work)
}

/** When the rest of the program has had its turn: `work` may go on for a while then. It throws nothing either. */
export function afterOthers(work: () => void): void {
  schedule(later, work)
}

function schedule(list: (() => void)[], work: () => void): void {
  if (soon.length + later.length === 0) setImmediate(run)
  list.push(work)
}

function run(): void {
  for (const work of [...soon.splice(0), ...later.splice(0)]) work()
}

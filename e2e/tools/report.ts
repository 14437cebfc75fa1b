import { type Client, type Outcome, versionOf } from './client.ts'
import type { Seen } from './outcomes.ts'

/** Characters of what was shown where it was not as it should. */
const MAX_SHOWN = 160
/** The same where it stands for itself. */
const MAX_TEXT = 1_000

/** Prints what came of one try, while others go on. */
export function printSeen({ tool }: Client, outcome: Outcome, { ok, shown }: Seen): void {
  const text = shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT / 2)} … ${shown.slice(-MAX_TEXT / 2)}` : shown
  console.error(`${tool.id} ${outcome}: ${ok ? 'yes' : 'NO'}, ${text}\n`)
}

/** Prints a line a client; true where everything went as it should. */
export function printReport(found: Map<Client, Map<Outcome, Seen>>, outcomes: readonly Outcome[]): boolean {
  console.log(row(['client', 'version', ...outcomes]))
  console.log(row(['---', '---', ...outcomes.map(() => '---')]))
  for (const [client, of] of found)
    console.log(row([client.tool.name, versionOf(client), ...outcomes.map(outcome => cell(of.get(outcome)))]))
  return [...found.values()].every(of => [...of.values()].every(({ ok }) => ok))
}

function cell(seen: Seen | undefined): string {
  if (seen === undefined) return ''
  if (seen.ok) return seen.shown.startsWith('cannot: ') ? seen.shown : 'yes'
  return `NO, ${seen.shown.replaceAll(/\s+/g, ' ').replaceAll('|', '/').slice(0, MAX_SHOWN)}`
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/**
 * npm run tools -- [NAME ...] [--outcomes answer,tool] [--dialects chat] [--install]: installs the clients that the
 * page names, and runs each, as it is, with the snippet of the page against the built server. Prints what came of it,
 * as docs/gateway.md has it. Not a test: it needs the registries the first time, and minutes.
 */
import { parseArgs } from 'node:util'
import { DIALECTS, type Dialect } from '#contract/gateway.ts'
import { TOOLS } from '#web/keys/tools/list.ts'
import { type Client, type Outcome, OUTCOMES } from './client.ts'
import { aider, claudeCode, cline, codex, continueCli, llm, opencode } from './commandLines.ts'
import { installed } from './install.ts'
import { aiSdk, anthropicSdk, openaiJavaScript, openaiPython } from './libraries.ts'
import { queued, type Seen, type Trial, TRIALS } from './outcomes.ts'
import { printReport, printSeen } from './report.ts'
import { startToolPortal } from './toolPortal.ts'

const CLIENTS: readonly Client[] = [
  ...[claudeCode, codex, opencode, aider, continueCli, cline, llm],
  ...[openaiPython, openaiJavaScript, anthropicSdk, aiSdk],
]

/** Tools of the page that have no client here, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  zed: 'an editor that comes from no package registry and needs a desktop',
  curl: 'comes with the machine',
}

const missing = TOOLS.filter(({ id }) => !(id in NOT_RUN) && !CLIENTS.some(({ tool }) => tool.id === id))
if (missing.length > 0) throw new Error(`neither run nor named: ${missing.map(({ name }) => name).join(', ')}`)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    outcomes: { type: 'string', default: OUTCOMES.join(',') },
    dialects: { type: 'string' },
    install: { type: 'boolean', default: false },
  },
})
const outcomes = chosen(OUTCOMES, values.outcomes)
const dialects: Dialect[] | null = values.dialects === undefined ? null : chosen(DIALECTS, values.dialects)
const clients = CLIENTS.filter(({ tool: { id } }) => positionals.length === 0 || positionals.includes(id))
const ready = clients.map(client => ({ client, installed: installed(client) }))
if (!values.install) await run()

async function run(): Promise<void> {
  const portal = await startToolPortal(dialects)
  const found = new Map(clients.map(client => [client, new Map<Outcome, Seen>()]))
  try {
    const trials: Trial[] = []
    for (const each of ready) trials.push({ ...each, portal, owner: await portal.person() })
    for (const trial of trials)
      for (const outcome of outcomes) {
        if (outcome === 'queue') continue
        const seen = await tried(trial, outcome)
        found.get(trial.client)?.set(outcome, seen)
        printSeen(trial.client, outcome, seen)
      }
    if (outcomes.includes('queue')) {
      for (const [client, seen] of await queued(trials, await portal.person())) {
        found.get(client)?.set('queue', seen)
        printSeen(client, 'queue', seen)
      }
    }
  } finally {
    await portal.close()
  }
  process.exitCode = printReport(found, outcomes) ? 0 : 1
  console.log(
    `\nNot run: ${Object.entries(NOT_RUN)
      .map(([id, reason]) => `${id} (${reason})`)
      .join(', ')}`,
  )
}

async function tried(trial: Trial, outcome: Exclude<Outcome, 'queue'>): Promise<Seen> {
  const reason = trial.client.cannot?.[outcome]
  if (reason !== undefined) return { ok: true, shown: `cannot: ${reason}` }
  try {
    return await TRIALS[outcome](trial)
  } catch (error) {
    return { ok: false, shown: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function chosen<Name extends string>(names: readonly Name[], listed: string): Name[] {
  const wanted = listed.split(',')
  const unknown = wanted.find(each => !names.some(name => name === each))
  if (unknown !== undefined) throw new Error(`${unknown} is none of ${names.join(', ')}`)
  return names.filter(name => wanted.includes(name))
}

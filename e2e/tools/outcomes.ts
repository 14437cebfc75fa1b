import { setTimeout as delay } from 'node:timers/promises'
import type { NewKey } from '#contract/keys.ts'
import type { JournalEntry } from '#simulator/simulator.ts'
import type { Account } from '../startPortal.ts'
import { type Client, type Outcome, versionOf } from './client.ts'
import { LISTED, startClient, type ClientProcess } from './clientProcess.ts'
import type { Installed } from './install.ts'
import { MODEL, type ToolPortal } from './toolPortal.ts'

/** Whether it went as it should, and what was seen of it. */
export type Seen = { ok: boolean; shown: string }

export type Trial = { client: Client; installed: Installed; portal: ToolPortal; owner: Account }

/** Milliseconds. */
const MAX_RUN = 150_000
const MAX_SETTLING = 10_000
const MAX_START = 60_000
const POLL = 20
/** Within so many, what was interrupted has ended at the upstream and in the log. */
const MAX_AFTER_INTERRUPTION = 1_000
export const QUEUE_SECONDS = 130
/** Letters of an answer that must have been shown, where its end may have been drawn in another way. */
const MAX_COMPARED = 60

/** Used up by one ask, and free again after hours. */
const REFUSAL_LIMIT: NewKey['limits'][number] = {
  source: 'openai_api',
  unit: 'asks',
  amount: 1,
  models: null,
  window: { kind: 'rolling', seconds: 10_800 },
}

export const TRIALS: Record<Exclude<Outcome, 'queue'>, (trial: Trial) => Promise<Seen>> = {
  async answer(trial) {
    const { ended, shown, entries } = await asked(trial, 'How are you?\n/simulate tokens=30')
    const [last] = entries().slice(-1)
    const said = letters(last?.sent ?? '')
    const streamed = isRecord(last?.body) && last.body['stream'] === true
    return seen(streamed && said !== '' && letters(shown).includes(said) && ended.code === 0, ended, shown)
  },

  async tool(trial) {
    const { listing } = trial.client
    if (listing === null) return { ok: false, shown: 'has no tools' }
    const call = `/simulate tool=${listing.name} input=${JSON.stringify(listing.input)}`
    const { ended, shown } = await asked(trial, `What is in this folder?\n${call}`, { tool: true })
    return seen(/The tool gave/.test(shown) && shown.includes(LISTED), ended, shown)
  },

  async picture(trial) {
    const { reading } = trial.client
    const call = reading && `\n/simulate tool=${reading.name} input=${JSON.stringify(reading.input)}`
    const { ended, shown } = await asked(trial, `What is in this picture?${call ?? ''}`, { picture: true })
    return seen(/512 x 512/.test(shown), ended, shown)
  },

  async interrupted(trial) {
    const { running, entries } = await startAsk(trial, 'Tell me everything.\n/simulate tokens=900 pace=2')
    const growing = await within(MAX_START, () => entries().find(({ sent }) => sent !== ''))
    if (growing === undefined) return stopped(running, 'it never asked')
    const open = entries().filter(({ ended }) => ended === 'open')
    const before = Date.now()
    running.interrupt()
    await within(MAX_SETTLING, () => (open.every(({ ended }) => ended !== 'open') ? true : undefined))
    const cancelled = Math.max(...open.map(({ abortedAt }) => abortedAt ?? Infinity)) - before
    const log = async () => (await trial.portal.log(trial.owner)).filter(({ time }) => Date.parse(time) >= before)
    await within(MAX_SETTLING, async () => ((await log()).length >= open.length ? true : undefined))
    const settled = Math.max(...(await log()).map(({ time }) => Date.parse(time)), 0) - before
    const ok = [cancelled, settled].every(each => each >= 0 && each <= MAX_AFTER_INTERRUPTION)
    return stopped(running, `cancelled after ${cancelled} ms, settled after ${settled} ms`, ok)
  },

  async refused(trial) {
    const { key } = await trial.portal.key(trial.owner, { limits: [REFUSAL_LIMIT] })
    await trial.portal.ask(key, 'Hello\n/simulate tokens=5')
    const { ended, shown } = await asked(trial, 'How are you?', {}, key)
    return seen(/used up/.test(shown) && /\d\d:\d\d/.test(shown) && !ended.isLate, ended, shown)
  },

  async error(trial) {
    const { ended, shown, entries } = await asked(trial, 'How are you?\n/simulate fault=error after=5')
    const last = entries().at(-1)
    // Claude Code asks the same again without a stream, and shows that answer.
    const answered = last?.ended === 'complete' && letters(shown).includes(letters(last.sent).slice(0, MAX_COMPARED))
    return seen((answered || /broke off/i.test(shown)) && !ended.isLate, ended, shown)
  },

  async revoked(trial) {
    const { id, key } = await trial.portal.key(trial.owner)
    await trial.portal.revoke(trial.owner, id)
    const { ended, shown } = await asked(trial, 'How are you?', {}, key)
    return seen(/revoked/.test(shown) && !ended.isLate, ended, shown)
  },
}

/** All wait behind one question, which is answered for so long, and then are answered one after the other. */
export async function queued(trials: readonly Trial[], holder: Account): Promise<Map<Client, Seen>> {
  const [first] = trials
  if (first === undefined) return new Map()
  const { portal } = first
  const { key } = await portal.key(holder)
  const found = await portal.oneAtATime(async () => {
    const holding = portal.ask(key, `Tell me everything.\n/simulate tokens=${QUEUE_SECONDS} pace=1`)
    const since = Date.now()
    await portal.simulator.waitFor(({ body }) => JSON.stringify(body).includes(`tokens=${QUEUE_SECONDS}`))
    const all = trials.map(async trial => {
      const question = 'How are you?\n/simulate tokens=30'
      const { ended, shown, entries } = await asked(trial, question, {}, undefined, MAX_RUN + QUEUE_SECONDS * 1_000)
      const last = entries().at(-1)
      const waited = Math.round(((last?.time ?? since) - since) / 1_000)
      const ok = waited >= QUEUE_SECONDS - 10 && last !== undefined && letters(shown).includes(letters(last.sent))
      return [trial.client, seen(ok, ended, `asked upstream after ${waited} s: ${shown}`)] as const
    })
    await holding
    return Promise.all(all)
  })
  return new Map(found)
}

type AskOptions = { picture?: boolean; tool?: boolean }

let count = 0

/** Starts a client with a question, by its snippet and a key. */
async function startAsk(trial: Trial, text: string, options: AskOptions = {}, secret?: string, deadline = MAX_RUN) {
  const { client, portal, owner, installed } = trial
  const key = secret ?? (await ownKey(trial))
  const snippet = client.tool.snippet({ address: portal.url, key, model: MODEL })
  const started = client.start({ snippet, picture: options.picture === true, tool: options.tool === true })
  const mark = `${owner.username}-${++count}`
  const running = startClient(client, { started, installed, question: `This is question ${mark}. ${text}`, deadline })
  const entries = (): JournalEntry[] =>
    portal.simulator.journal.filter(({ body }) => JSON.stringify(body).includes(`question ${mark}.`))
  return { running, entries }
}

async function asked(trial: Trial, text: string, options?: AskOptions, secret?: string, deadline?: number) {
  const { running, entries } = await startAsk(trial, text, options, secret, deadline)
  const ended = await running.ended
  return { ended, shown: running.printed(), entries }
}

const keys = new Map<string, Promise<{ key: string }>>()

/** One key for all that a client is asked. */
async function ownKey({ client, portal, owner }: Trial): Promise<string> {
  const name = `${client.tool.id} ${versionOf(client)} ${owner.id}`
  const making = keys.get(name) ?? portal.key(owner)
  keys.set(name, making)
  return (await making).key
}

async function stopped(running: ClientProcess, shown: string, ok = false): Promise<Seen> {
  running.interrupt()
  await running.ended
  return { ok, shown: ok ? shown : `${shown}\n${running.printed()}` }
}

const seen = (ok: boolean, { code, isLate }: { code: number | null; isLate: boolean }, shown: string): Seen => ({
  ok,
  shown: `${isLate ? 'no end' : `code ${code}`}: ${shown.trim()}`,
})

/** The first value that is there, looked for until the time is over. */
async function within<Value>(
  most: number,
  look: () => Value | undefined | Promise<Value | undefined>,
): Promise<Value | undefined> {
  for (const end = Date.now() + most; Date.now() < end; await delay(POLL)) {
    const found = await look()
    if (found !== undefined) return found
  }
  return undefined
}

/** Terminals wrap lines and draw marks in their own way. */
const letters = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, '')

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

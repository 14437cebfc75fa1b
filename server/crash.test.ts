import { sql } from 'kysely'
import * as z from 'zod/mini'
import { describe, expect, test } from 'vitest'
import type { ConversationHistory } from '#contract/conversations.ts'
import { type Message, textOf } from '#contract/messages.ts'
import type { Simulator } from '#simulator/simulator.ts'
import { type OpenDatabase, openDatabase } from '#server/foundation/database/open.ts'
import { aSimulator, emptyFolder, peopleIn } from '#testing/dataFolder.ts'
import { question, textOfFrames, type Chat, type Person } from '#testing/person.ts'
import { firstUpstream } from '#testing/asks.ts'
import { startPortal } from '#testing/portal.ts'
import { PATIENCE } from '#testing/patience.ts'
import { randomFrom } from '#testing/random.ts'
import { startServer } from '#testing/server.ts'

// SEED repeats what failed, RUNS looks longer.
const SEED = Number(process.env['SEED'] ?? 1999)
const RUNS = Number(process.env['RUNS'] ?? 3)
const PEOPLE = 20
const ALLOWED = 1_000
/** More frames than come before an answer is complete, so that a crash may strike at any moment of it. */
const MAX_FRAMES = PEOPLE * 60

type Streaming = { person: Person; chat: Chat; text: string }

/** Everybody asks at once; resolves when so many frames have come to all of them together. */
async function streaming(people: readonly Person[], run: number, frames: number): Promise<Streaming[]> {
  const all = await Promise.all(
    people.map(async (person, index): Promise<Streaming> => {
      const text = `/simulate tokens=300 pace=150\nrun ${run} person ${index}`
      return { person, text, chat: await person.chat(question(text, { new_title: `run ${run}` })) }
    }),
  )
  const count = () => all.reduce((sum, { chat }) => sum + chat.frames.length, 0)
  await Promise.race([
    ...all.map(({ chat }) => chat.until(() => count() >= frames)),
    Promise.all(all.map(({ chat }) => chat.closed)),
  ])
  return all
}

const Asked = z.object({ messages: z.array(z.object({ content: z.string() })) })
const sentFor = ({ journal }: Simulator, text: string): string =>
  journal.find(entry => Asked.safeParse(entry.body).data?.messages.at(-1)?.content === text)?.sent ?? ''

/**
 * What must hold for one person after the crash: the question is there, the answer is what the upstream sent, and no
 * more is waited for.
 */
async function expectKept({ person, chat, text }: Streaming, simulator: Simulator): Promise<void> {
  const accepted = chat.frames.find(frame => frame.type === 'accepted')
  if (accepted === undefined) return
  const history = await person.result<ConversationHistory>('GET', `/conv/${String(accepted['conversation_id'])}`)
  const messages: Message[] = Object.values(history.mapping)
  expect(messages.filter(message => message.role === 'user').map(textOf)).toEqual([text])
  expect(history.running_ask).toBe(null)
  const answer = messages.find(message => message.role === 'assistant')
  const sent = sentFor(simulator, text)
  const wasComplete = chat.frames.some(frame => frame.type === 'finished')
  if (wasComplete) expect(textOf(answer!)).toBe(textOfFrames(chat.frames))
  if (answer !== undefined) {
    expect(sent.startsWith(textOf(answer))).toBe(true)
    expect(answer.metadata?.['ending'] ?? null, textOf(answer) === sent ? 'complete' : 'cut').toBe(
      answer.metadata?.['finish_reason'] === 'stop' ? null : 'interrupted',
    )
    expect(history.current_node).toBe(answer.id)
  }
  // Whoever comes back for it hears the same.
  const again = await person.chat({
    resume: accepted['ask_id'],
    after: Number(chat.frames.findLast(frame => frame['n'] !== undefined)?.['n'] ?? 0),
  })
  await again.closed
  expect(again.frames.at(-1)).toMatchObject({ type: 'finished' })
  if (answer !== undefined) expect(textOfFrames(again.frames)).toBe(textOf(answer))
}

async function expectSound(data_dir: string): Promise<void> {
  const open = await openDatabase({ data_dir })
  try {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(open.database)
    expect(rows).toEqual([{ integrity_check: 'ok' }])
    expect((await sql`pragma foreign_key_check`.execute(open.database)).rows).toEqual([])
    expect(await open.database.selectFrom('asks').select('ask_id').where('ask_state', '!=', 'done').execute()).toEqual(
      [],
    )
    const asks = await open.database.selectFrom('asks').select(['user_id', 'first_token_time']).execute()
    const ledger = await open.database.selectFrom('ask_ledger').select(['user_id', 'change']).execute()
    const settings = await open.database
      .selectFrom('user_source_settings')
      .innerJoin('ask_counts', join =>
        join
          .onRef('ask_counts.user_id', '=', 'user_source_settings.user_id')
          .onRef('ask_counts.source', '=', 'user_source_settings.source')
          .on('model', '=', ''),
      )
      .select(['user_source_settings.user_id', sql<number>`total_ask_allowed - used`.as('total_ask_count')])
      .where('user_source_settings.source', '=', 'openai_api')
      .where('total_ask_allowed', '>', 0)
      .execute()
    await expectSameMoney(open)
    expect(settings).toHaveLength(PEOPLE)
    for (const { user_id, total_ask_count } of settings) {
      const charged = asks.filter(ask => ask.user_id === user_id && ask.first_token_time !== null).length
      const booked = ledger.filter(entry => entry.user_id === user_id).reduce((sum, { change }) => sum + change, 0)
      expect(total_ask_count).toBe(ALLOWED - charged)
      expect(booked).toBe(total_ask_count)
    }
  } finally {
    await open.close()
  }
}

/** What an ask costs is known, and everybody has a limit in money that is not reached: each ask reserves some of it. */
async function withMoney(data_dir: string, simulator: Simulator): Promise<void> {
  const { app, admin, close } = await startPortal({ storage: { data_dir }, simulator })
  const upstream = await firstUpstream(app.services.open.database)
  const prices = [{ model: 'gpt_4', input: 3, output: 15 }]
  await admin.result('PUT', `/system/upstreams/${upstream}/prices`, { prices })
  const limit = { source: 'openai_api', unit: 'money', amount: 10_000, window: { kind: 'month' } }
  await admin.result('PATCH', '/plan/1', { limits: [limit] })
  await close()
}

/** Whatever was cut short was settled at its price or given back whole: lines, sums and log have the same money. */
async function expectSameMoney({ database }: OpenDatabase): Promise<void> {
  const lines = await database.selectFrom('usage_ledger').selectAll().where('reason', '=', 'settled').execute()
  const sums = await database.selectFrom('usage_sums').selectAll().execute()
  const months = await database.selectFrom('usage_months').selectAll().execute()
  const logged = await database.selectFrom('ask_logs').select(['user_id', 'cost']).execute()
  const asks = await database.selectFrom('asks').select(['user_id', 'first_token_time']).execute()
  const of = <Row extends { user_id: number | null }>(rows: readonly Row[], user_id: number) =>
    rows.filter(row => row.user_id === user_id)
  const cost = (rows: readonly { cost: number | null }[]) => rows.reduce((sum, row) => sum + (row.cost ?? 0), 0)
  expect(cost(lines)).toBeGreaterThan(0)
  for (const user_id of new Set(asks.flatMap(ask => ask.user_id ?? []))) {
    const spent = cost(of(lines, user_id))
    expect([cost(of(sums, user_id)), cost(of(months, user_id)), cost(of(logged, user_id))]).toEqual([
      spent,
      spent,
      spent,
    ])
    expect(of(lines, user_id)).toHaveLength(of(asks, user_id).filter(ask => ask.first_token_time !== null).length)
  }
}

describe('a server that is killed while twenty answers stream', () => {
  test(
    `has lost no question and no charge when it is started again, and nobody is stuck (seed ${SEED})`,
    { timeout: 2 * RUNS * PATIENCE },
    async () => {
      const data_dir = await emptyFolder()
      const simulator = await aSimulator()
      const people = await peopleIn({ data_dir }, simulator, PEOPLE, { total_ask_count: ALLOWED })
      await withMoney(data_dir, simulator)
      const env = { COMMONS_DATA_DATA_DIR: data_dir, OPENAI_BASE_URL: simulator.url, OPENAI_API_KEY: 'test-key' }
      const random = randomFrom(SEED)
      let server = await startServer(env)
      for (let run = 0; run < RUNS; run++) {
        const here = people.map(person => person.at(server.url))
        const streams = await streaming(here, run, random.below(MAX_FRAMES))
        server.kill('SIGKILL')
        await server.ended
        await Promise.all(streams.map(({ chat }) => chat.closed))
        server = await startServer(env)
        for (const stream of streams) await expectKept({ ...stream, person: stream.person.at(server.url) }, simulator)
        const after = await Promise.all(
          here.map(person => person.at(server.url).ask(`after run ${run}`, { new_title: 'after' })),
        )
        expect(after.map(frames => frames.at(-1)?.type)).toEqual(people.map(() => 'finished'))
      }
      server.kill('SIGTERM')
      expect(await server.ended).toMatchObject({ code: 0, errors: '' })
      await expectSound(data_dir)
    },
  )
})

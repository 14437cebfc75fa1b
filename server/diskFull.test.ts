import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ConversationHistory } from '#contract/conversations.ts'
import { textOf } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { heldUpstream } from '#testing/heldUpstream.ts'
import { bringsText, question, signIn } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'

const UPLOADS = { COMMONS_OPENAI_WEB_FILE_UPLOAD_STRATEGY: 'server_upload_only' }
const PASSWORD = 'correct-horse-7'

/** From now on SQLite refuses every write, as on a disk that was made read-only; or takes them again. */
const takesNothing = (app: App) => sql.raw('pragma query_only = on').execute(app.services.open.database)
const takesAgain = (app: App) => sql.raw('pragma query_only = off').execute(app.services.open.database)

/** From now on the database may not grow, and has no room left. */
async function fill(app: App): Promise<void> {
  const { database } = app.services.open
  const {
    rows: [counted],
  } = await sql<{ page_count: number }>`pragma page_count`.execute(database)
  await sql.raw(`pragma max_page_count = ${Number(counted?.page_count) + 1}`).execute(database)
  for (let bytes = 8192; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    for (let left = true; left;) {
      const setting_path = `${bytes} ${crypto.randomUUID()} ${'x'.repeat(bytes)}`
      left = await database
        .insertInto('stored_settings')
        .values({ setting_path, setting_value: '', update_time: 0 })
        .execute()
        .then(
          () => true,
          () => false,
        )
    }
  }
}
const makeRoom = (app: App) => sql.raw('pragma max_page_count = 1000000').execute(app.services.open.database)

async function upload(url: string, cookie: string, content = 'hello') {
  const body = new FormData()
  body.set('file', new File([content], 'a.txt'))
  return (await (
    await fetch(`${url}/api/files/local/upload`, { method: 'POST', body, headers: { cookie, origin: url } })
  ).json()) as { code: number; message: string }
}

describe.each([
  ['a disk that takes nothing', takesNothing, takesAgain, 'errors.diskNotWritable'],
  ['a full disk', fill, makeRoom, 'errors.diskFull'],
] as const)('%s', (_name, begin, end, tip) => {
  test('is named to whoever asks or uploads, and nothing that was stored is lost', async () => {
    const { app, person, url } = await startPortal({ environment: UPLOADS })
    const lin = await person('lin')
    await lin.ask('before', { new_title: 'before' })
    const before = await lin.result('GET', '/conv')
    await begin(app)
    expect((await lin.ask('x'.repeat(20_000), { new_title: 'x' })).at(-1)).toMatchObject({
      type: 'error',
      tip,
      charged: false,
    })
    const old = await lin.chat(question('x'.repeat(20_000), { new_title: 'x' }), null)
    await old.closed
    expect(old.frames.at(-1)).toMatchObject({
      type: 'error',
      tip: 'errors.internal',
      error_detail: expect.stringContaining('disk of the server'),
    })
    // The rows of small files may still find room in what the database has.
    await until(async () => expect(await upload(url, lin.cookie)).toMatchObject({ code: -1, message: tip }))
    expect(await lin.result('GET', '/conv')).toEqual(before)
    await end(app)
    expect((await lin.ask('after', { new_title: 'after' })).at(-1)).toMatchObject({ type: 'finished', charged: true })
    expect(await upload(url, lin.cookie)).toMatchObject({ code: 200 })
  })
})

describe('while the disk takes nothing', () => {
  test('people read, and whoever signs in, with whatever password, is told what is wrong', async () => {
    const { app, person, url } = await startPortal()
    const lin = await person('lin')
    await lin.ask('before', { new_title: 'before' })
    await takesNothing(app)
    expect(await lin.result('GET', '/conv')).toMatchObject([{ title: 'before' }])
    for (const password of [PASSWORD, 'wrong-word'])
      await expect(signIn(url, 'lin', password)).rejects.toThrow('errors.diskNotWritable')
    await takesAgain(app)
    expect((await lin.ask('after', { new_title: 'after' })).at(-1)).toMatchObject({ type: 'finished' })
  })
  test('whoever signs out loses the cookie, and is told that the session is still stored', async () => {
    const { app, person, url } = await startPortal()
    const { cookie } = await person('lin')
    await takesNothing(app)
    const answer = await fetch(`${url}/api/auth/logout`, { method: 'POST', headers: { cookie, origin: url } })
    expect(await answer.json()).toMatchObject({ message: 'errors.diskNotWritable' })
    expect(answer.headers.getSetCookie().every(text => text.includes('Max-Age=0'))).toBe(true)
  })
})

describe('an answer whose end the disk does not take', () => {
  async function endingOnNothing() {
    const upstream = await heldUpstream()
    const failures: string[] = []
    const log = (line: string) => {
      if (line.includes('the end of an ask could not be stored')) failures.push(line)
    }
    const { app, person } = await startPortal({ environment: { OPENAI_BASE_URL: upstream.base_url }, log })
    const lin = await person()
    const chat = await lin.chat(question('hello', { new_title: 'x' }))
    await chat.until(bringsText)
    await takesNothing(app)
    upstream.answer('hello')
    await until(() => expect(failures.length).toBeGreaterThan(1))
    const answer = async () => {
      const { mapping, current_node } = await lin.result<ConversationHistory>(
        'GET',
        `/conv/${String(chat.frames[0]?.['conversation_id'])}`,
      )
      return textOf(mapping[current_node ?? ''] ?? { content: null })
    }
    return { app, lin, chat, answer }
  }

  test('is stored whole as soon as it does, and only then told to be', async () => {
    const { app, chat, answer } = await endingOnNothing()
    await takesAgain(app)
    expect(await chat.until(frame => frame.type === 'finished')).toMatchObject({ outcome: 'finished', charged: true })
    expect(await answer()).toBe('first answer')
  })
  test('is told after a while to those who wait, and stored whole later', async () => {
    const { app, lin, chat, answer } = await endingOnNothing()
    expect(await chat.until(frame => frame.type === 'error')).toMatchObject({
      tip: 'errors.diskNotWritable',
      charged: true,
    })
    await chat.closed
    expect((await lin.ask('and?', { new_title: 'y' })).at(-1)).toMatchObject({
      type: 'error',
      tip: 'errors.diskNotWritable',
      charged: false,
    })
    await takesAgain(app)
    await until(async () => expect(await answer()).toBe('first answer'))
    // Others read the answer a moment before its commit is on the disk; from then on new questions are taken.
    await until(async () => {
      const next = await lin.chat(question('and?', { new_title: 'y' }))
      expect(await next.until(frame => frame.type === 'accepted' || frame.type === 'error')).toMatchObject({
        type: 'accepted',
      })
    })
  })
})

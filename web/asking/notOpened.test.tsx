import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { words } from '#testing/messages.ts'
import { errors } from '#web/i18n/zh-CN/errors.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { aHistory } from './builders.testing.ts'
import { composerOf, question, reply } from './conversationScreen.testing.tsx'
import { aRecord, ID, keptDrafts, openTestPortal, Refused, withId } from './portal.testing.tsx'

const ADDRESS = `/conversation?id=${ID}`
const HISTORY = withId(aHistory(question, { ...reply, content: words('三点半') }), ID)

afterEach(() => {
  vi.unstubAllGlobals()
})

/** The conversation is open with a draft, and then its history cannot be read. */
async function openWithDraft(address = ADDRESS) {
  const server: { answer: unknown } = { answer: HISTORY }
  const portal = await openTestPortal(
    { 'GET /conv': [aRecord(ID, '时间')], [`GET /conv/${ID}`]: () => server.answer },
    address,
  )
  await composerOf(portal).fill('还没问完')
  await expect.poll(keptDrafts).toContain('还没问完')
  return {
    portal,
    async readAgain(answer: unknown) {
      server.answer = answer
      await queryClient.resetQueries({ queryKey: ['conversation'] })
    },
  }
}

const title = (name: string) => page.getByRole('heading', { name })

describe('a conversation that is not there', () => {
  test.each([
    ['it is unknown, or somebody else’s', new Refused('conversationNotFound'), '它可能已经删除，或者不是你的。'],
    ['it is gone at its web account', new Refused('conversationGone'), errors['errors.conversationGone']],
    [
      'its id is none',
      new Refused('requestValidationError', { detail: [{ loc: ['path', 'id'], msg: 'Invalid UUID', type: 'format' }] }),
      '它可能已经删除，或者不是你的。',
    ],
  ])('because %s, says so, in the header as well', async (_, answer, why) => {
    const portal = await openTestPortal({ [`GET /conv/${ID}`]: answer }, ADDRESS)
    await expect.element(title('没有找到这个对话')).toBeVisible()
    await expect.element(page.getByText(why)).toBeVisible()
    await expect.element(portal.screen.getByRole('banner')).toMatchTextContent(/没有找到这个对话/)
    await expect.element(page.getByRole('button', { name: '重试' })).not.toBeInTheDocument()
    expect(composerOf(portal).query()).toBe(null)
  })

  test('leaves its draft to a new one', async () => {
    const { portal, readAgain } = await openWithDraft()
    await readAgain(new Refused('conversationNotFound'))
    await expect.element(title('没有找到这个对话')).toBeVisible()
    await portal.router.navigate({ to: '/conversation', search: {} })
    await expect.element(composerOf(portal)).toHaveValue('还没问完')
  })
})

describe('a conversation that cannot be opened now', () => {
  const WHY: [Refused, RegExp][] = [
    [
      new Refused('openai.429', { values: { retry_after_seconds: 30 } }),
      /^502 上游的次数或额度已用完（429），30 ?秒后/,
    ],
    [new Refused('openai.403'), /^502 上游拒绝了访问（403）/],
    [new Refused('openai.500', { values: { status: 503 } }), /^502 上游出错了（503）/],
    [new Refused('internal', { values: { request_id: 'abc-1' } }), /^-1 服务器内部出错，请求编号 abc-1/],
    [new Refused('databaseUnreachable'), /^-1 服务器暂时连不上数据库/],
    [new Refused('upstreamTimeout'), /^502 上游太久没有回应/],
    [new Refused('authorityDeny'), /^10403 没有权限/],
    [new Refused('tooManyRequests', { values: { retry_after_seconds: 5 } }), /^-1 请求太频繁，5 ?秒后可再试/],
    [
      new Refused('requestValidationError', { detail: [{ loc: ['query', 'thoughts'], msg: 'No option', type: 'x' }] }),
      /^422 提交的内容不符合要求：query.thoughts No option/,
    ],
  ]

  test('says why, with the code', async () => {
    const { portal, readAgain } = await openWithDraft()
    for (const [answer, why] of WHY) {
      await readAgain(answer)
      await expect.element(title('对话没能载入')).toBeVisible()
      await expect.element(page.getByRole('alert')).toMatchTextContent(why)
    }
    await expect.element(portal.screen.getByRole('banner')).toMatchTextContent(/对话没能载入/)
    await readAgain(HISTORY)
    await expect.element(portal.screen.getByLabelText('回答', { exact: true })).toMatchTextContent(/三点半/)
  })

  test('keeps its draft, and is opened by another attempt', async () => {
    const { portal, readAgain } = await openWithDraft()
    await readAgain(new Refused('openai.429'))
    await expect.element(title('对话没能载入')).toBeVisible()
    await expect.element(composerOf(portal)).toHaveValue('还没问完')
    await userEvent.type(composerOf(portal).element(), '呢')
    await portal.router.navigate({ to: '/conversation', search: {} })
    await expect.element(composerOf(portal)).toHaveValue('')
    await portal.router.navigate({ to: '/conversation', search: { id: ID } })
    await expect.element(composerOf(portal)).toHaveValue('还没问完呢')
    await readAgain(HISTORY)
    await expect.element(composerOf(portal)).toHaveValue('还没问完呢')
  })

  test('because a proxy answered in place of the portal, says that', async () => {
    const { readAgain } = await openWithDraft()
    // Failures on the way are tried again by themselves.
    queryClient.setQueryDefaults(['conversation'], { retry: false })
    await readAgain(new Response('<html>Service Unavailable</html>', { status: 503 }))
    await expect.element(page.getByRole('alert')).toMatchTextContent(/它前面的代理（HTTP 503）/)
    await expect.element(page.getByRole('button', { name: '重试' })).toBeVisible()
    queryClient.setQueryDefaults(['conversation'], {})
  })
})

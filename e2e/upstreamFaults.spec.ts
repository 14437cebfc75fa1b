import type { Language } from '#contract/preferences.ts'
import type { Fault } from '#simulator/simulator.ts'
import { expect, test } from './journey.ts'
import { answers, ask, questions, TEXTS, untilAnswered } from './steps.ts'

/** `again`: the button that asks again. It is in the note when nothing came, and below the answer otherwise. */
type Trouble = { fault: Fault; language: Language; reason: string | RegExp; again?: 'message-regenerate' }

const TROUBLES: Record<string, Trouble> = {
  'says that it is used up (429)': {
    fault: { kind: 'status', status: 429, retry_after_seconds: 20 },
    language: 'zh-CN',
    reason: /上游的次数或额度已用完（429），20 ?秒后可再问（\d\d:\d\d）/,
  },
  'says that one model is used up for hours': {
    fault: { kind: 'status', status: 429, body: '{"error":{"code":"model_cap_exceeded","clears_in":11461}}' },
    language: 'en-US',
    reason:
      /The limit of this model at the provider is exceeded \(429\)\. Ask it again in 4 hours, at .*\d\d:\d\d, or choose another model now/,
  },
  'sends a wall in place of an answer': {
    fault: { kind: 'status', status: 403, body: '<!doctype html><title>Just a moment...</title>' },
    language: 'zh-CN',
    reason: /上游返回的是网页，不是接口的回应/,
  },
  'has too much to do (503)': {
    fault: { kind: 'status', status: 503 },
    language: 'en-US',
    reason: 'The provider had an error (503)',
  },
  'rejects the key (401)': {
    fault: { kind: 'status', status: 401 },
    language: 'ms-MY',
    reason: TEXTS['ms-MY']['errors.openai.401'],
  },
  'ends in the middle of an answer': {
    fault: { kind: 'cut', after_tokens: 8 },
    language: 'ms-MY',
    reason: TEXTS['ms-MY']['errors.httpError'],
    again: 'message-regenerate',
  },
}

for (const [trouble, { fault, language, reason, again = 'message-retry' }] of Object.entries(TROUBLES)) {
  test(`when the upstream ${trouble}, the reason is shown in ${language}, the question stays and can be asked again`, async ({
    chatPage,
    person,
    portal,
  }) => {
    await person.result('PATCH', '/user/me/preferences', { language })
    await chatPage.reload()
    await ask(chatPage, '你好')
    await untilAnswered(chatPage)

    portal.simulator.nextFault(fault)
    await ask(chatPage, '木头为什么会裂？')
    await expect(chatPage.getByText(reason)).toBeVisible()
    await expect(questions(chatPage).last()).toHaveText('木头为什么会裂？')
    await expect(chatPage.getByTestId('stop')).toBeHidden()

    await chatPage.getByTestId(again).last().click()
    await expect(chatPage.getByText(reason)).toBeHidden()
    await untilAnswered(chatPage, 2)
    await expect(questions(chatPage)).toHaveText(['你好', '木头为什么会裂？'])
    await chatPage.reload()
    await expect(answers(chatPage)).toHaveCount(2)
    await expect(questions(chatPage)).toHaveText(['你好', '木头为什么会裂？'])
  })
}

const LOSSES: Record<string, { fault: Fault; reason: string | RegExp; partly?: true }> = {
  'nothing came (429)': {
    fault: { kind: 'status', status: 429, retry_after_seconds: 20 },
    reason: /上游的次数或额度已用完（429），20 ?秒后可再问（\d\d:\d\d）/,
  },
  'nothing came (529)': { fault: { kind: 'status', status: 529 }, reason: /上游出错了（529）/ },
  'nothing came (418)': { fault: { kind: 'status', status: 418 }, reason: /上游给出了意外的回应（418）/ },
  'nothing came (402)': { fault: { kind: 'status', status: 402 }, reason: TEXTS['zh-CN']['errors.openai.quota'] },
  'nothing came but thoughts': {
    fault: { kind: 'thoughts', shape: 'reasoning', text: '想了又想', only: true },
    reason: TEXTS['zh-CN']['errors.openai.thoughtsOnly'],
  },
  'a filter let only the beginning through': {
    fault: { kind: 'finish', after_tokens: 8, reason: 'content_filter', done: true },
    reason: TEXTS['zh-CN']['errors.openai.contentFilter'],
    partly: true,
  },
  'the end was missing, and nobody said so': {
    fault: { kind: 'finish', after_tokens: 8, reason: null, done: false },
    reason: TEXTS['zh-CN']['errors.openai.cutOff'],
    partly: true,
  },
  'it broke off before its first word': {
    fault: { kind: 'cut', after_tokens: 0 },
    reason: TEXTS['zh-CN']['errors.httpError'],
  },
  'it broke off in the middle': {
    fault: { kind: 'cut', after_tokens: 8 },
    reason: TEXTS['zh-CN']['errors.httpError'],
    partly: true,
  },
}

for (const [loss, { fault, reason, partly = false }] of Object.entries(LOSSES)) {
  test(`when of an answer ${loss}, the reason is shown again after a reload`, async ({ chatPage, portal }) => {
    const counted = TEXTS['zh-CN'][partly ? 'ask.charged' : 'ask.notCharged']
    portal.simulator.nextFault(fault)
    await ask(chatPage, '木头为什么会裂？')
    await expect(chatPage.getByText(reason)).toBeVisible()
    await expect(chatPage.getByText(counted)).toBeVisible()
    await expect(answers(chatPage)).toHaveCount(partly ? 1 : 0)
    await expect(chatPage.getByRole('button', { name: TEXTS['zh-CN']['message.copy'], exact: true })).toHaveCount(
      partly ? 2 : 1,
    )
    const note = partly ? chatPage.getByText(TEXTS['zh-CN']['message.failed']) : chatPage.getByRole('alert')
    await expect(note).toBeVisible()
    if (!partly)
      await expect(chatPage.getByTestId('conversation-row')).toContainText(TEXTS['zh-CN']['conversations.failed'])
    await chatPage.reload()
    await expect(chatPage.getByText(reason)).toBeVisible()
    await expect(chatPage.getByText(counted)).toBeVisible()
    await expect(note).toBeVisible()
    if (partly) return
    await expect(chatPage.getByTestId('conversation-row')).toContainText(TEXTS['zh-CN']['conversations.failed'])
    await chatPage.getByTestId('message-retry').click()
    await untilAnswered(chatPage)
    await expect(chatPage.getByText(reason)).toBeHidden()
    await expect(chatPage.getByTestId('conversation-row')).not.toContainText(TEXTS['zh-CN']['conversations.failed'])
  })
}

for (const [end, fault] of Object.entries({
  fails: { kind: 'status', status: 500 },
  'fails in the middle': { kind: 'cut', after_tokens: 8 },
  'is stopped before anything comes': { kind: 'silence' },
} satisfies Record<string, Fault>)) {
  test(`a conversation of which the first question ${end} is called by its first line at once, and keeps that name`, async ({
    chatPage,
    portal,
  }) => {
    portal.simulator.nextFault(fault)
    await ask(chatPage, '木头为什么会裂？\n请简短回答。')
    if (fault.kind === 'silence') {
      await portal.simulator.waitFor(({ ended, body }) => ended === 'open' && JSON.stringify(body).includes('木头'))
      await chatPage.getByTestId('stop').click()
    }
    const named = async () => {
      await expect(chatPage.getByTestId('conversation-row')).toContainText('木头为什么会裂')
      await expect(
        chatPage.getByRole('banner').getByRole('button', { name: '木头为什么会裂', exact: false }).first(),
      ).toBeVisible()
    }
    await named()
    await chatPage.getByTestId(fault.kind === 'cut' ? 'message-regenerate' : 'message-retry').click()
    await untilAnswered(chatPage)
    await named()
    await chatPage.reload()
    await named()
  })
}

test('a question that failed can be taken back to where it was written', async ({ chatPage, portal }) => {
  portal.simulator.nextFault({ kind: 'status', status: 500 })
  await ask(chatPage, '第一个问题')
  await chatPage.getByRole('button', { name: TEXTS['zh-CN']['ask.withdraw'] }).click()
  await expect(chatPage.getByTestId('composer')).toHaveValue('第一个问题')
  await expect(chatPage.getByTestId('message')).toHaveCount(0)
  await chatPage.getByTestId('send').click()
  await untilAnswered(chatPage)
})

test('what the upstream said itself is shown to nobody', async ({ chatPage, portal }) => {
  portal.simulator.nextFault({ kind: 'status', status: 500, body: 'secret words of the upstream' })
  await ask(chatPage, '你好')
  await expect(chatPage.getByText(TEXTS['zh-CN']['errors.openai.500'])).toBeVisible()
  await expect(chatPage.getByText('secret words')).toHaveCount(0)
})

test('pictures and sources that an endpoint sends with an answer are shown, now and after a reload', async ({
  chatPage,
  portal,
}) => {
  portal.simulator.nextAnswer('Heat pumps work in winter [1].')
  portal.simulator.nextFault({ kind: 'form', form: 'citations' })
  await ask(chatPage, '热泵冬天能用吗？')
  await untilAnswered(chatPage)
  const sources = chatPage.getByTestId('sources').getByRole('link')
  await expect(sources).toHaveText([/Page 1/, /Page 2/])
  portal.simulator.nextFault({ kind: 'form', form: 'picture' })
  await ask(chatPage, '画一台热泵')
  await untilAnswered(chatPage, 2)
  for (const again of [false, true]) {
    if (again) await chatPage.reload()
    await expect(sources).toHaveCount(2)
    await expect(chatPage.locator('img[src*="/api/files/"]')).toHaveCount(1)
  }
})

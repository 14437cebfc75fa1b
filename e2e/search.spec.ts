import { expect, test } from './journey.ts'
import { answers, ask, conversationId, echo, questions, TEXTS, untilAnswered } from './steps.ts'

test('words of an earlier answer are found in Chinese, and lead to the very message', async ({ chatPage, portal }) => {
  const long = Array.from({ length: 40 }, (_, at) => `第 ${at} 段，说些别的。`).join('\n\n')
  portal.simulator.nextAnswer(`家里的热泵四年左右回本。\n\n${long}`)
  await ask(chatPage, '换不换热水器？')
  await untilAnswered(chatPage)
  const conversation = conversationId(chatPage)
  const message = await answers(chatPage).first().getAttribute('data-message-id')
  for (const turn of [1, 2, 3]) {
    portal.simulator.nextAnswer(`${turn} ${long}`)
    await ask(chatPage, `再说说 ${turn}`)
    await untilAnswered(chatPage, turn + 1)
  }

  await chatPage.goto('/conversation')
  await expect(chatPage.getByTestId('conversation-row')).toHaveCount(1)
  await chatPage.keyboard.press('Control+k')
  await expect(chatPage.getByTestId('search')).toBeFocused()
  await chatPage.keyboard.type('四年左右')
  const found = chatPage.getByTestId('search-result')
  await expect(found).toHaveCount(1)
  await expect(found.locator('mark')).toHaveText(['四年左右'])

  await chatPage.keyboard.press('ArrowDown')
  await expect(found).toBeFocused()
  await chatPage.keyboard.press('Enter')
  await expect(chatPage).toHaveURL(`/conversation?id=${conversation}#${message}`)
  await expect(answers(chatPage).first()).toBeInViewport()
  await expect(answers(chatPage).last()).not.toBeInViewport()
})

test('half of an emoji is asked, and traditional characters and ß are found by what people type', async ({
  chatPage,
}) => {
  await chatPage.getByTestId('composer').focus()
  await chatPage.evaluate(() => document.execCommand('insertText', false, `cut ${String.fromCharCode(0xd83d)} here`))
  await chatPage.getByTestId('send').click()
  await untilAnswered(chatPage)
  await expect(questions(chatPage).first()).toContainText('cut \uFFFD here')
  await ask(chatPage, '我用繁體字寫信，Straße')
  await untilAnswered(chatPage, 2)

  for (const [words, marked] of [
    ['繁体字', '繁體字'],
    ['strasse', 'Straße'],
  ] as const) {
    await chatPage.getByTestId('search').fill(words)
    await expect(chatPage.getByTestId('search-result').first().locator('mark').first()).toHaveText(marked)
  }
})

test('what was deleted and what is somebody else’s is not found; nothing found repeats the words', async ({
  chatPage,
  person,
  portal,
}) => {
  const other = await portal.person()
  await other.ask('热泵的秘密', { new_title: '别人的' })
  await person.ask('热泵的安装', { new_title: '自己的' })
  await person.ask('热泵的价格', { new_title: '删掉的' })
  const list = await person.result<{ conversation_id: string; title: string }[]>('GET', '/conv')
  await person.result('DELETE', `/conv/${list.find(({ title }) => title === '删掉的')?.conversation_id}`)

  await chatPage.reload()
  await chatPage.getByTestId('search').fill('热泵')
  await expect(chatPage.getByTestId('search-result').first()).toContainText('自己的')
  await expect(chatPage.getByTestId('conversation-list')).not.toContainText(/别人的|删掉的/)

  await chatPage.getByTestId('search').fill('低温工况')
  await expect(chatPage.getByText('没有找到“低温工况”')).toBeVisible()
})

test('a message on another branch is led to on its branch', async ({ chatPage, person }) => {
  const time = '2026-03-02T10:00:00.000Z'
  const message = (id: string, parent: string | null, text: string) => ({
    id,
    parent,
    role: parent === null ? 'user' : 'assistant',
    author_name: null,
    model: 'gpt_4',
    create_time: time,
    content: { content_type: 'text', text },
    metadata: null,
  })
  const [question, first, second] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  await person.result('POST', '/conv/import', {
    conversations: [
      {
        id: 'forked',
        title: '两个回答',
        create_time: time,
        update_time: time,
        current_node: second,
        current_model: 'gpt_4',
        messages: [
          message(question, null, '哪一个？'),
          message(first, question, '旧的回答说蓝鲸'),
          message(second, question, '新的回答说海豚'),
        ],
      },
    ],
  })
  await chatPage.reload()
  await chatPage.getByTestId('search').fill('蓝鲸')
  await chatPage.getByTestId('search-result').click()
  await expect(answers(chatPage)).toHaveText([/旧的回答说蓝鲸/])
  await expect(questions(chatPage)).toHaveCount(1)
})

test('without a network it is said that messages could not be searched, and nothing found for other words is shown', async ({
  chatPage,
  context,
}) => {
  await ask(chatPage, echo('灰鲸和蓝鲸', 0))
  await untilAnswered(chatPage)
  const search = chatPage.getByTestId('search')
  await search.fill('灰鲸')
  const inMessages = chatPage.getByTestId('search-result').filter({ hasText: TEXTS['zh-CN']['conversations.youAsked'] })
  await expect(inMessages).toHaveCount(1)
  await context.setOffline(true)
  await search.fill('座头鲸')
  await expect(chatPage.getByText(TEXTS['zh-CN']['conversations.searchFailed'])).toBeVisible()
  await expect(inMessages).toHaveCount(0)
  await context.setOffline(false)
  await expect(chatPage.getByText(TEXTS['zh-CN']['conversations.searchFailed'])).toBeHidden()
})

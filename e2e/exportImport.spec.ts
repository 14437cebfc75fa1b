import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import { strToU8, zipSync } from 'fflate'
import type { ExportedFile } from '#contract/transfer.ts'
import { expect, test } from './journey.ts'
import { answers, ask, questions, untilAnswered } from './steps.ts'

async function exportAs(page: Page, format: string): Promise<Download> {
  await page.getByRole('banner').getByRole('button', { name: '对话操作' }).click()
  await page.getByTestId('export-menu').click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId(`export-${format}`).click()])
  return download
}

async function textOf(download: Download): Promise<string> {
  return readFile(await download.path(), 'utf8')
}

async function importFile(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  await page.getByRole('button', { name: '全部对话的操作' }).click()
  await page.getByTestId('import').click()
  await page
    .getByTestId('import-file')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
}

const outcome = (page: Page, name: string) => page.getByTestId('import-report').locator(`[data-outcome=${name}] dd`)

test('a conversation is exported as Markdown and as JSON, and somebody else imports it, once', async ({
  chatPage,
  portal,
  openPageFor,
}) => {
  portal.simulator.nextAnswer('四年左右回本。')
  await ask(chatPage, '热泵多久回本？')
  await untilAnswered(chatPage)
  const markdown = await exportAs(chatPage, 'markdown')
  expect(markdown.suggestedFilename()).toMatch(/\.md$/)
  expect(await textOf(markdown)).toMatch(
    /## 1\. 热泵多久回本？\n\n热泵多久回本？\n\n\*\*回答\*\* · GPT-[\d.]+ · \d{4}年[^]*\n\n四年左右回本。/,
  )

  const json = await textOf(await exportAs(chatPage, 'json'))
  const other = await openPageFor(await portal.person())
  await importFile(other, 'one.json', json)
  await expect(outcome(other, 'new')).toHaveText('1')
  await other.getByRole('dialog').getByRole('button', { name: '关闭' }).last().click()
  await other.getByTestId('conversation-row').getByRole('link').click()
  await expect(questions(other)).toHaveText([/热泵多久回本/])
  await expect(answers(other)).toHaveText([/四年左右回本/])

  await importFile(other, 'one.json', json)
  await expect(outcome(other, 'present')).toHaveText('1')
  await expect(outcome(other, 'new')).toHaveText('0')
  await other.getByRole('dialog').getByRole('button', { name: '关闭' }).last().click()
  await expect(other.getByTestId('conversation-row')).toHaveCount(1)

  // The imported conversation can be continued like any other.
  await ask(other, '再说一遍')
  await untilAnswered(other, 2)
})

test('all conversations are exported as one file', async ({ chatPage, person }) => {
  for (const title of ['第一个', '第二个', '第三个']) await person.ask('hello', { new_title: title })
  await chatPage.reload()
  await expect(chatPage.getByTestId('conversation-row')).toHaveCount(3)
  await chatPage.getByRole('button', { name: '全部对话的操作' }).click()
  const [download] = await Promise.all([chatPage.waitForEvent('download'), chatPage.getByTestId('export-all').click()])
  expect(download.suggestedFilename()).toMatch(/^全部对话 \d{4}-\d\d-\d\d\.json$/)
  const file = JSON.parse(await textOf(download)) as ExportedFile // the file that the page has just written
  expect(file.conversations.map(({ title }) => title)).toEqual(['第一个', '第二个', '第三个'])
  await expect(chatPage.getByText('已导出 3 个对话')).toBeVisible()
})

test('a data export of ChatGPT is imported as it comes, in its zip, and what is no conversation says why', async ({
  chatPage,
}) => {
  const said = (id: string, parent: string | null, children: string[], role: string, text: string) => ({
    id,
    parent,
    children,
    message: {
      id,
      author: { role },
      create_time: 1_700_000_000,
      content: { content_type: 'text', parts: [text] },
      metadata: { model_slug: 'gpt-4' },
      recipient: 'all',
    },
  })
  const conversations = [
    {
      title: '从前的对话',
      create_time: 1_700_000_000,
      update_time: 1_700_000_100,
      conversation_id: crypto.randomUUID(),
      current_node: 'a',
      mapping: {
        root: { id: 'root', parent: null, children: ['q'], message: null },
        q: said('q', 'root', ['a'], 'user', '鲸鱼会唱歌吗？'),
        a: said('a', 'q', [], 'assistant', '会。'),
      },
    },
    { title: '空的', mapping: {} },
  ]
  const zip = zipSync({ 'user.json': strToU8('{}'), 'conversations.json': strToU8(JSON.stringify(conversations)) })
  await importFile(chatPage, 'export.zip', zip)
  await expect(outcome(chatPage, 'new')).toHaveText('1')
  await expect(outcome(chatPage, 'refused')).toHaveText('1')
  await chatPage.getByRole('dialog').getByRole('button', { name: '关闭' }).last().click()
  await chatPage.getByTestId('conversation-row').getByRole('link', { name: '从前的对话' }).click()
  await expect(answers(chatPage)).toHaveText([/会。/])
})

test('a file that is none says so, and another can be chosen', async ({ chatPage }) => {
  await importFile(chatPage, 'holiday.json', 'hello')
  await expect(chatPage.getByRole('alert')).toContainText('这不是 JSON 文件')
  await expect(chatPage.getByRole('button', { name: '选择文件' })).toBeVisible()
})

test('of wide tables and long lines of code nothing stays off the paper', async ({ chatPage, portal }) => {
  const columns = Array.from({ length: 14 }, (_, at) => `column_${at}`)
  portal.simulator.nextAnswer(
    `| ${columns.join(' | ')} |\n|${'---|'.repeat(14)}\n| ${columns.join(' | ')} |\n\n\`\`\`js\nconst words = '${'word '.repeat(60)}'\n\`\`\`\n`,
  )
  await ask(chatPage, '一张很宽的表')
  await untilAnswered(chatPage)
  await chatPage.setViewportSize({ width: 674, height: 900 })
  const widest = () =>
    answers(chatPage).evaluate(answer =>
      Math.max(...[...answer.querySelectorAll('th, pre code *')].map(part => part.getBoundingClientRect().right)),
    )
  expect(await widest()).toBeGreaterThan(674)
  await chatPage.emulateMedia({ media: 'print' })
  await chatPage.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  expect(await widest()).toBeLessThanOrEqual(674)
})

test('of formulas wider than the paper nothing is cut off: they are parted at operators, or become smaller', async ({
  chatPage,
  portal,
}) => {
  const sum = Array.from({ length: 60 }, (_, at) => `x_{${at}}`).join(' + ')
  const matrix = Array.from({ length: 40 }, (_, at) => `a_{${at}}`).join(' & ')
  portal.simulator.nextAnswer(`$$s = ${sum}$$\n\n$$\\begin{matrix}${matrix}\\end{matrix}$$\n\n$$E = mc^2$$\n`)
  await ask(chatPage, '很长的公式')
  await untilAnswered(chatPage)
  await expect(chatPage.locator('.katex-display')).toHaveCount(3)
  await chatPage.setViewportSize({ width: 674, height: 900 })
  const formulas = () =>
    answers(chatPage).evaluate(answer =>
      [...answer.querySelectorAll('.katex-display')].map(formula => {
        const boxes = [...formula.querySelectorAll('.katex-html *')].map(part => part.getBoundingClientRect())
        return {
          left: Math.min(...boxes.map(box => box.left)),
          right: Math.max(...boxes.map(box => box.right)),
          size: parseFloat(getComputedStyle(formula).fontSize),
        }
      }),
    )
  const [before] = await formulas()
  expect(before?.right).toBeGreaterThan(674)
  await chatPage.emulateMedia({ media: 'print' })
  await chatPage.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  const onPaper = await formulas()
  for (const { left, right } of onPaper) {
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(674)
  }
  const [parted, smaller, short] = onPaper.map(({ size }) => size)
  expect([parted, short]).toEqual([before?.size, before?.size])
  expect(smaller).toBeLessThan(before?.size ?? 0)
})

test.describe('whoever reads in the dark', () => {
  test.use({ colorScheme: 'dark' })

  test('has the whole thread on paper in light colours, and nothing around it', async ({ chatPage }) => {
    for (const turn of [1, 2, 3]) {
      await ask(chatPage, `问题 ${turn}`)
      await untilAnswered(chatPage, turn)
    }
    await expect(chatPage.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await chatPage.emulateMedia({ media: 'print' })
    await chatPage.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    await expect(chatPage.getByTestId('composer')).toBeHidden()
    await expect(chatPage.getByTestId('conversation-list')).toBeHidden()
    await expect(chatPage.getByRole('banner')).toBeHidden()
    await expect(questions(chatPage)).toHaveCount(3)
    const layout = await chatPage.evaluate(() => {
      const thread = document.querySelector('[data-testid=thread]')
      return {
        overflow: thread === null ? '' : getComputedStyle(thread).overflowY,
        scheme: document.documentElement.dataset['mantineColorScheme'],
        tall: document.body.scrollHeight >= (thread?.scrollHeight ?? 0),
      }
    })
    expect(layout).toEqual({ overflow: 'visible', scheme: 'light', tall: true })
    expect((await chatPage.pdf()).length).toBeGreaterThan(5000)
  })
})

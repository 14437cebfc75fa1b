import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Message } from '#contract/messages.ts'
import { aMessage, words } from '#testing/messages.ts'
import { until } from '#testing/until.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { textFeed } from '#web/messages/markdown/streaming/textFeed.ts'
import { type TurnTools, TurnView } from './TurnView.tsx'

const said = (id: string, role: Message['role'], text: string) => aMessage({ id, role, content: words(text) })

const turn = { key: 'q', question: said('q', 'user', '**问**'), replies: [said('a', 'assistant', '**答**')] }

async function theTurn({ growing = false, tools }: { growing?: boolean; tools?: TurnTools } = {}) {
  return render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <TurnView turn={turn} isLast liveText={{ feedOf: undefined, growing }} tools={tools} actions={null} />
      </Kit>
    </QueryClientProvider>,
  )
}

describe('a turn', () => {
  test('shows its question as Markdown on request, and then as it was written again', async () => {
    const screen = await theTurn()
    await expect.element(screen.getByText('**问**')).toBeVisible()
    const switchTo = async (name: string) => {
      await screen.getByRole('button', { name: '更多操作' }).first().click()
      await page.getByRole('menuitem', { name }).click()
    }
    await switchTo('按 Markdown 显示')
    await expect.element(screen.getByText('问', { exact: true })).toBeVisible()
    await switchTo('按原文显示')
    await expect.element(screen.getByText('**问**')).toBeVisible()
    await expect.element(screen.getByText('答', { exact: true })).toBeVisible()
  })

  test('shows its answer as it was written on request', async () => {
    const screen = await theTurn()
    await screen.getByRole('button', { name: '更多操作' }).last().click()
    await page.getByRole('menuitem', { name: '按原文显示' }).click()
    await expect.element(screen.getByText('**答**')).toBeVisible()
  })

  test('has a row under its answer once that is complete', async () => {
    const growing = await theTurn({ growing: true })
    expect(growing.getByTestId('message-copy').elements()).toHaveLength(1)
    await growing.unmount()
    const complete = await theTurn()
    expect(complete.getByTestId('message-copy').elements()).toHaveLength(2)
  })

  test('has the further tools in its rows, and around its question', async () => {
    const Asked = ({ children }: { children: ReactNode }) => (
      <div aria-label="周围" role="group">
        {children}
      </div>
    )
    const screen = await theTurn({ tools: { Answer: () => <b>再答</b>, Question: () => <b>改问</b>, Asked } })
    await expect.element(screen.getByRole('group', { name: '周围' })).toMatchTextContent(/\*\*问\*\*.*改问/)
    await expect.element(screen.getByText('再答')).toBeVisible()
  })
})

describe('a turn on a page that the browser translates', () => {
  let stopTranslating = () => {}
  afterEach(() => stopTranslating())

  /**
   * Chromium puts <font> elements with its own text nodes in place of those of the page, and goes on with what is
   * added.
   */
  function translatePage(): void {
    const translate = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const nodes: Node[] = []
      while (walker.nextNode()) nodes.push(walker.currentNode)
      for (const node of nodes) {
        const parent = node.parentElement
        if (parent === null || parent.closest('font, [translate=no], style, script') !== null) continue
        const font = document.createElement('font')
        font.append(document.createElement('font'))
        font.firstElementChild?.append(node.textContent ?? '')
        node.parentNode?.replaceChild(font, node)
      }
    }
    const observer = new MutationObserver(translate)
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['translate'],
    })
    translate()
    stopTranslating = () => observer.disconnect()
  }

  const aGrowingTurn = async () => {
    const feed = textFeed('第一')
    const page = (growing: boolean) => (
      <QueryClientProvider client={queryClient}>
        <Kit>
          <TurnView
            turn={turn}
            isLast
            liveText={{ feedOf: id => (id === 'a' ? feed : undefined), growing }}
            tools={undefined}
            actions={null}
          />
        </Kit>
      </QueryClientProvider>
    )
    translatePage()
    const screen = await render(page(true))
    return { feed, answer: screen.getByLabelText('回答', { exact: true }), finish: () => screen.rerender(page(false)) }
  }

  test('goes on showing its growing answer', async () => {
    const { feed, answer } = await aGrowingTurn()
    await expect.element(answer).toMatchTextContent(/第一/)
    feed.append('句，**重')
    await expect.element(answer).toMatchTextContent(/第一句，重/)
    feed.append('点**。\n\n- 甲\n- 乙')
    await expect.element(answer).toMatchTextContent(/第一句，重点。\s*甲\s*乙/)
  })

  test('has its answer translated when that is complete', async () => {
    const { feed, answer, finish } = await aGrowingTurn()
    feed.append('句。')
    feed.finish()
    await finish()
    await until(() => expect(answer.element().querySelector('p font')?.textContent).toBe('第一句。'))
  })
})

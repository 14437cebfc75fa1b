import { useLayoutEffect } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ConversationRecord } from '#contract/conversations.ts'
import { answerCalls } from '#web/foundation/api.testing.ts'
import { openScreen } from '#web/kit/openScreen.testing.tsx'
import { ConversationList } from './ConversationList.tsx'

const records = Array.from({ length: 400 }, (_, at): ConversationRecord => {
  const time = new Date(1_800_000_000_000 - at * 60_000).toISOString()
  return {
    id: at,
    source: 'openai_api',
    conversation_id: `id-${at}`,
    source_id: null,
    title: `No. ${at}`,
    user_id: 1,
    is_valid: true,
    current_model: null,
    create_time: time,
    update_time: time,
  }
})
const rowsNow = () => document.querySelectorAll('[data-testid=conversation-row]').length

test('an open conversation far down holds up nothing: the first rows are there at once, it is scrolled into view behind them', async () => {
  answerCalls({})
  let atOnce = 0
  function Screen() {
    useLayoutEffect(() => {
      atOnce = rowsNow()
    }, [])
    return (
      <div style={{ display: 'flex', flexDirection: 'column', height: 400 }}>
        <ConversationList records={records} open="id-350" states={new Map()} error={null} onRetry={() => undefined} />
      </div>
    )
  }
  await openScreen(Screen, '/')
  await expect.element(page.getByRole('link', { name: 'No. 350' })).toBeInViewport()
  expect(atOnce).toBe(120)
  expect(rowsNow()).toBeGreaterThan(350)
})

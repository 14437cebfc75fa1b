import { expect, test } from 'vitest'
import type { ConversationRecord } from '#contract/conversations.ts'
import { titlesWith } from './SearchHits.tsx'

const titled = (title: string | null): ConversationRecord => ({
  id: 1,
  source: 'openai_api',
  conversation_id: null,
  source_id: null,
  title,
  user_id: 1,
  is_valid: true,
  current_model: null,
  create_time: '2026-11-20T06:00:00.000Z',
  update_time: null,
})
const found = (words: string) =>
  titlesWith(words, [titled('热水器换热泵'), titled('Pandas 按小时重采样'), titled(null)]).map(({ title }) => title)

test('titles are found by every word, whatever the case or width', () => {
  expect(found('热泵')).toEqual(['热水器换热泵'])
  expect(found('ＰＡＮＤＡＳ 小时')).toEqual(['Pandas 按小时重采样'])
  expect(found('pandas 热泵')).toEqual([])
})

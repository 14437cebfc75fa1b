import { describe, expect, test } from 'vitest'
import { aWebConversation, called, messagesIn, replied, type WebMessage } from '#testing/webConversations/builder.ts'
import { weekend } from '#testing/webConversations/weekend.ts'
import { actionsOf } from './browsing.ts'
import { piecesOf } from './turn.ts'

const actions = (...said: WebMessage[]) =>
  actionsOf(messagesIn(aWebConversation('00000000-0000-4000-8000-000000000000', '', 'gpt_4', said)))
const LIST = {
  _cite_metadata: {
    metadata_list: [
      { title: '甲', url: 'https://a.example/' },
      { title: ' ', url: 'https://b.example/' },
    ],
  },
}

describe('browsing', () => {
  test('has its actions in order', () => {
    const [, ...replies] = messagesIn(weekend)
    const [piece] = piecesOf(replies, () => false)
    const step = piece?.kind === 'steps' ? piece.steps[0] : undefined
    expect(actionsOf(step?.messages ?? []).map(({ kind }) => kind)).toEqual([
      'search',
      'search',
      'read',
      'open',
      'failed',
      'back',
      'open',
      'scroll',
      'quote',
    ])
  })

  test('searches for the text in quotes', () => {
    expect(actions(called('browser', 'search("say \\"hi\\"", recency_days=30)'))).toEqual([
      { kind: 'search', query: 'say "hi"' },
    ])
    expect(actions(called('browser', "search('it\\'s')"))).toEqual([{ kind: 'search', query: "it's" }])
    expect(actions(called('myfiles_browser', 'msearch(["一", "二"])'))).toEqual([
      { kind: 'search', query: '一' },
      { kind: 'search', query: '二' },
    ])
  })

  test('opens the page with that number in the latest list', () => {
    const listed = replied('browser', { content_type: 'tether_browsing_display', result: '' }, LIST)
    expect(actions(listed, called('browser', 'mclick([0, 1, 7])'))).toEqual([
      { kind: 'open', title: '甲', url: 'https://a.example/' },
      { kind: 'open', title: 'https://b.example/', url: 'https://b.example/' },
      { kind: 'open', title: '#7', url: null },
    ])
  })

  test('opens an address', () => {
    expect(actions(called('browser', 'open_url("https://c.example/")'))).toEqual([
      { kind: 'open', title: 'https://c.example/', url: 'https://c.example/' },
    ])
  })

  test('shows an unknown statement as it is', () => {
    expect(actions(called('browser', 'summarise, please'))).toEqual([{ kind: 'other', text: 'summarise, please' }])
    expect(actions(called('browser', 'fly("away")'))).toEqual([{ kind: 'other', text: 'fly("away")' }])
    expect(actions(called('browser', ''))).toEqual([])
  })
})

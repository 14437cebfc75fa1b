import { describe, expect, test } from 'vitest'
import {
  NO_CONVERSATION_INSTRUCTIONS,
  type OwnInstructions,
  ownInstructionsText,
  sentInstructions,
} from './instructions.ts'

const own: OwnInstructions = { about_me: 'I teach.', how_to_answer: '', is_on: true, with_keys: false }
const conversation = { text: 'Use 0.62 a kWh.', with_own: null }

describe('what a model is told first', () => {
  test('is the portal’s, one’s own and the conversation’s, in this order', () => {
    expect(sentInstructions({ portal: 'Be brief.', own, conversation })).toEqual([
      { by: 'portal', text: 'Be brief.' },
      { by: 'own', text: 'About the user:\nI teach.' },
      { by: 'conversation', text: 'Use 0.62 a kWh.' },
    ])
  })
  test('leaves out what is blank', () => {
    const nobody = { ...own, about_me: '' }
    expect(sentInstructions({ portal: null, own: nobody, conversation: NO_CONVERSATION_INSTRUCTIONS })).toEqual([])
    expect(sentInstructions({ portal: ' \n', own: nobody, conversation: NO_CONVERSATION_INSTRUCTIONS })).toEqual([])
  })
  test.each([
    [true, null, true],
    [false, null, false],
    [true, false, false],
    [false, true, true],
  ])('has one’s own, which are on: %j and in this conversation: %j, sent: %j', (is_on, with_own, isSent) => {
    const sent = sentInstructions({ portal: null, own: { ...own, is_on }, conversation: { text: '', with_own } })
    expect(sent.length > 0).toBe(isSent)
  })
  test('names both parts of one’s own', () => {
    expect(ownInstructionsText({ ...own, how_to_answer: 'Short.' })).toBe(
      'About the user:\nI teach.\n\nHow the user wants to be answered:\nShort.',
    )
  })
})

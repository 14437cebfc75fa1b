import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { withMessage } from '#contract/messageTree.ts'
import { ID } from '../portal.testing.tsx'
import { question, tree, stored, opened, shows, twice } from './branches.testing.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a question that is withdrawn', () => {
  const withdrawal = { [`DELETE /conv/${ID}/question/q4`]: { current_node: 'a3' } }

  test('becomes a draft again, and the branch beside it stays', async () => {
    const portal = await opened({ ...stored(), ...withdrawal })
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await portal.screen.getByTestId('composer').fill('已经写的')
    await portal.screen.getByTestId('message-withdraw').last().click()
    await page.getByRole('dialog').getByRole('button', { name: '撤回问题' }).click()
    await shows(portal, ['q1', 'a2', 'q3', 'a3'])
    await expect.element(portal.screen.getByTestId('composer')).toHaveValue('再那样问\n\n已经写的')
  })

  test('stays when the confirmation is cancelled', async () => {
    const portal = await opened({ ...stored(), ...withdrawal })
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await portal.screen.getByTestId('message-withdraw').last().click()
    await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    expect(portal.calls.filter(call => call.startsWith('DELETE'))).toEqual([])
  })

  test('needs no confirmation when no answer goes with it', async () => {
    const alone = tree()
    const mapping = { ...withMessage(alone.mapping, question('q5', 'a4', '还没人答')) }
    const portal = await opened({
      ...stored({ ...alone, mapping, current_node: 'q5' }),
      [`DELETE /conv/${ID}/question/q5`]: { current_node: 'a4' },
    })
    await portal.screen.getByTestId('message-withdraw').last().click()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await expect.element(portal.screen.getByTestId('composer')).toHaveValue('还没人答')
  })

  test('is withdrawn once, also when the button is pressed twice', async () => {
    const alone = tree()
    const mapping = { ...withMessage(alone.mapping, question('q5', 'a4', '还没人答')) }
    const portal = await opened({
      ...stored({ ...alone, mapping, current_node: 'q5' }),
      [`DELETE /conv/${ID}/question/q5`]: { current_node: 'a4' },
    })
    await shows(portal, ['q1', 'a2', 'q4', 'a4', 'q5'])
    twice(portal.screen.getByTestId('message-withdraw').last())
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    expect(portal.calls.filter(call => call.startsWith('DELETE'))).toHaveLength(1)
    await expect.element(portal.screen.getByTestId('composer')).toHaveValue('还没人答')
  })
})

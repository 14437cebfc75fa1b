import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { KeyOfUser } from '#contract/keys.ts'
import { answerCalls, aPortal, success } from '#web/foundation/api.testing.ts'
import { openAdminScreen } from '../openAdminScreen.testing.tsx'
import { UsersScreen } from './UsersScreen.tsx'

const KEY: KeyOfUser = {
  id: 7,
  name: '笔记本',
  ending: 'x7Qk',
  create_time: '2026-11-20T06:00:00.000Z',
  expires_at: null,
  last_used_time: null,
  last_tool: null,
  user: { id: 4, username: 'lin', nickname: '林小雨' },
}

test('superusers see the keys of everybody, and revoke one when they have confirmed', async () => {
  const made = answerCalls({
    'GET /status/portal': success(aPortal()),
    'GET /keys': success({ rows: [KEY], total: 1 }),
    'DELETE /keys/7': success(null),
  })
  await openAdminScreen(UsersScreen, '/admin/user?tab=keys')
  const row = page.getByTestId('key-row')
  await expect.element(row).toMatchTextContent(/林小雨.*笔记本.*…x7Qk.*还没用过/)
  await row.getByTestId('key-revoke').click()
  await page.getByRole('dialog').getByRole('button', { name: '吊销密钥' }).click()
  await expect.poll(() => made.map(({ call }) => call)).toContain('DELETE /keys/7')
})

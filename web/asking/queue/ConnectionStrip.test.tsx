import { afterEach, describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { Kit } from '#web/kit/Kit.tsx'
import type { Ask } from '../asks/askState.ts'
import { anAsk } from '../builders.testing.ts'
import { ConnectionStrip } from './ConnectionStrip.tsx'

const lost = (more: Partial<Ask> = {}, blocked = false) =>
  anAsk({ state: { phase: 'replying' }, connection: { state: 'lost', attempt: 2, blocked }, ...more })

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the strip under the header', () => {
  test('says that a lost connection is being restored, and that the answer goes on', async () => {
    const screen = await render(<ConnectionStrip ask={lost()} />)
    await expect.element(screen.getByRole('status')).toMatchTextContent(/第 2 次.*回答在服务器上继续/)
  })
  test('says that a question has not arrived yet', async () => {
    const screen = await render(<ConnectionStrip ask={lost({ state: { phase: 'sending' } })} />)
    await expect.element(screen.getByRole('status')).toMatchTextContent(/问题还没有送到/)
  })
  test('names the reverse proxy when no socket has ever opened', async () => {
    const screen = await render(<ConnectionStrip ask={lost({}, true)} />)
    await expect.element(screen.getByRole('status')).toMatchTextContent(/反向代理.*WebSocket/)
  })
  test('is not there while the connection is good, nor for an ask that is over', async () => {
    const screen = await render(
      <>
        <ConnectionStrip ask={anAsk()} />
        <ConnectionStrip ask={lost({ state: { phase: 'stopped', charged: true } })} />
        <ConnectionStrip ask={null} />
      </>,
    )
    expect(screen.container.textContent).toBe('')
  })
  test('says that there is no network, whether something is asked or not', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const screen = await render(
      <Kit>
        <ConnectionStrip ask={null} />
      </Kit>,
    )
    await expect.element(screen.getByRole('status')).toMatchTextContent(/没有网络。草稿已保存/)
    await expect.element(screen.getByRole('button', { name: '重试' })).toBeVisible()
  })
})

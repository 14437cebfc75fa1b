import { describe, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { Kit } from '#web/kit/Kit.tsx'
import { ImportReport } from './ImportReport.tsx'

describe('the report of an import', () => {
  test('groups the digits of its numbers', async () => {
    const screen = await render(
      <Kit>
        <ImportReport
          tally={{ counts: { new: 2000, completed: 0, present: 0, refused: 0 }, refused: [], parted: 0, left: 0 }}
        />
      </Kit>,
    )
    await expect.element(screen.getByRole('definition')).toHaveTextContent('2,000')
  })
  test('says that a long conversation became several', async () => {
    const screen = await render(
      <Kit>
        <ImportReport
          tally={{ counts: { new: 3, completed: 0, present: 0, refused: 0 }, refused: [], parted: 1, left: 0 }}
        />
      </Kit>,
    )
    await expect.element(screen.getByText('有 1 个对话太长，分成了几个，标题后面有编号')).toBeVisible()
  })
})

import { expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { Mathematics } from './Mathematics.tsx'

test('a formula is drawn even if one of its fonts cannot be fetched and the other never arrives', async () => {
  const load = vi
    .spyOn(document.fonts, 'load')
    .mockImplementation(font =>
      font.startsWith('italic') ? Promise.reject(new DOMException('', 'NetworkError')) : new Promise(() => {}),
    )
  const { container } = await render(<Mathematics tex="e^{i\pi}" display={false} />)
  await expect.poll(() => container.querySelector('.katex')).not.toBeNull()
  expect(load).toHaveBeenCalledTimes(2)
})

import { expect, test, vi } from 'vitest'
import { loadFonts } from './Mathematics.tsx'

test('a formula does not wait for a font that cannot be fetched, nor for ever for one that never arrives', async () => {
  const load = vi
    .spyOn(document.fonts, 'load')
    .mockImplementation(font =>
      font.startsWith('italic') ? Promise.reject(new DOMException('', 'NetworkError')) : new Promise(() => {}),
    )
  await loadFonts()
  expect(load).toHaveBeenCalledTimes(2)
})

import { afterEach, describe, expect, test, vi } from 'vitest'
import { useToasts } from '#web/foundation/toasts.ts'
import { openTestPortal, personWith } from '../portal.testing.tsx'
import { noFilesBecause } from './useDroppedFiles.ts'

const web = (disable_uploading: boolean) => personWith({ openai_web: { disable_uploading } }).setting

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('files', () => {
  test('can be added for the shared account alone, models that read them, and users who may upload', () => {
    expect(noFilesBecause({ source: 'openai_web', model: 'gpt_4' }, web(false))).toBe(null)
    expect(noFilesBecause({ source: 'openai_web', model: 'gpt_4_code_interpreter' }, web(false))).toBe(null)
    expect(noFilesBecause({ source: 'openai_web', model: 'gpt_3_5' }, web(false))).toBe('composer.noFilesWithModel')
    expect(noFilesBecause({ source: 'openai_web', model: 'gpt_4' }, web(true))).toBe('composer.noFilesForYou')
    expect(noFilesBecause({ source: 'openai_api', model: 'gpt_4' }, web(false))).toBe('composer.noFilesWithApi')
  })

  test.each(['drop', 'paste'])(
    'added by a %s where none are accepted are refused with the reason, and do not replace the page',
    async type => {
      const { screen } = await openTestPortal()
      await expect.element(screen.getByRole('button', { name: '模型：GPT-3.5' })).toBeVisible()
      const given = new DataTransfer()
      given.items.add(new File(['x'], 'notes.txt'))
      const event =
        type === 'drop'
          ? new DragEvent('drop', { dataTransfer: given, bubbles: true, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: given, bubbles: true, cancelable: true })
      screen.getByTestId('composer').element().dispatchEvent(event)
      expect(event.defaultPrevented).toBe(true)
      expect(useToasts.getState().toasts).toMatchObject([{ title: '这里不能放文件', text: 'API 对话只收文字' }])
    },
  )

  test('pasted together with text leave the text to the field', async () => {
    const { screen } = await openTestPortal()
    const given = new DataTransfer()
    given.items.add(new File(['x'], 'picture.png', { type: 'image/png' }))
    given.setData('text/plain', '几句话')
    const event = new ClipboardEvent('paste', { clipboardData: given, bubbles: true, cancelable: true })
    screen.getByTestId('composer').element().dispatchEvent(event)
    expect(event.defaultPrevented).toBe(false)
  })
})

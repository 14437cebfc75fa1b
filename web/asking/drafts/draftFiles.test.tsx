import { afterEach, describe, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { useToasts } from '#web/foundation/toasts.ts'
import { ID, modelOf, openTestPortal, PORTAL, userWith } from '../portal.testing.tsx'
import { noFilesBecause } from './draftFiles.tsx'
import { addBy, openUploader, OTHER, UPLOADER } from './uploader.testing.tsx'

const READING_NOTHING = {
  'GET /status/portal': {
    ...PORTAL,
    models: ['gpt_4', 'gpt_3_5'].map(code => modelOf('openai_web', code)),
  },
}

const web = (disable_uploading: boolean) => userWith({ openai_web: { disable_uploading } }).setting

afterEach(() => {
  vi.unstubAllGlobals()
  useToasts.setState({ toasts: [] })
})

describe('a paper clip', () => {
  test('is there for every model of an endpoint', async () => {
    const { screen } = await openTestPortal()
    await expect.element(screen.getByTestId('attach')).toBeVisible()
  })
  test('is not there for a model of a web account that reads no files', async () => {
    const { screen } = await openTestPortal(READING_NOTHING, '/conversation', UPLOADER)
    await expect.element(screen.getByRole('button', { name: '模型：GPT-4' })).toBeVisible()
    expect(screen.getByTestId('attach').elements()).toEqual([])
  })
})

describe('a file', () => {
  test.each(['drop', 'paste'] as const)('added by a %s is listed above the question', async type => {
    const { composer, rows, screen } = await openUploader()
    expect(addBy(type, composer.element()).defaultPrevented).toBe(true)
    await rows('uploading')
    await expect.element(screen.getByRole('list', { name: '附在问题里的文件' })).toMatchTextContent(/a\.png/)
    await expect.element(screen.getByRole('button', { name: '添加文件，已有 1 个' })).toBeVisible()
  })

  test('dragged over the page shows where it would be added, until it is dropped or leaves', async () => {
    const { composer, screen } = await openUploader()
    const dropHint = screen.getByText('松开，就附在这个问题里')
    addBy('dragover', document.body)
    await expect.element(dropHint).toBeVisible()
    addBy('dragleave', document.body)
    await expect.element(dropHint).not.toBeInTheDocument()
    addBy('dragover', document.body)
    await expect.element(dropHint).toBeVisible()
    addBy('drop', composer.element())
    await expect.element(dropHint).not.toBeInTheDocument()
  })

  test('can be added by the keyboard', async () => {
    const { composer, rows, screen } = await openUploader()
    addBy('paste', composer.element())
    await rows('uploading')
    await composer.click()
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
    await expect.element(screen.getByRole('button', { name: '取消上传 a.png' })).toHaveFocus()
    await userEvent.keyboard('{Tab}{Tab}')
    await expect.element(screen.getByTestId('attach')).toHaveFocus()
    const chooser = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(() => undefined)
    await userEvent.keyboard('{Enter}')
    expect(chooser).toHaveBeenCalledOnce()
    chooser.mockRestore()
  })

  test('that another listener has handled is not added, nor one dropped on a dialog', async () => {
    const { screen, composer, router } = await openUploader()
    const taker = document.createElement('div')
    taker.addEventListener('drop', event => event.preventDefault())
    const dialog = document.createElement('div')
    dialog.setAttribute('aria-modal', 'true')
    document.body.append(taker)
    addBy('drop', taker)
    document.body.append(dialog)
    expect(addBy('drop', document.body).defaultPrevented).toBe(true)
    taker.remove()
    dialog.remove()
    // Files are added in order: had the others been added, they would be before this one.
    addBy('drop', composer.element(), new File(['x'], 'last.txt'))
    await expect.element(screen.getByRole('list', { name: '附在问题里的文件' })).toMatchTextContent(/last\.txt/)
    expect(screen.getByTestId('file-row').elements()).toHaveLength(1)
    expect([useToasts.getState().toasts, router.state.location.pathname]).toEqual([[], '/conversation'])
  })

  test('stays with its conversation', async () => {
    const { composer, rows, router, uploaded } = await openUploader(`/conversation?id=${ID}`)
    addBy('paste', composer.element())
    await rows('uploading')
    await router.navigate({ to: '/conversation', search: { id: OTHER } })
    await rows()
    await uploaded()
    await router.navigate({ to: '/conversation', search: { id: ID } })
    await rows('ready')
  })
})

describe('files', () => {
  const takingFiles = (takes_files: boolean | null) => ({ ...modelOf('openai_web', 'gpt_4'), takes_files })
  test('can be added for endpoints, models of the shared account that read them, and users who may upload there', () => {
    expect(noFilesBecause('openai_web', takingFiles(true), web(false))).toBe(null)
    expect(noFilesBecause('openai_web', takingFiles(false), web(false))).toBe('composer.noFilesWithModel')
    expect(noFilesBecause('openai_web', takingFiles(true), web(true))).toBe('composer.noFilesForYou')
    expect(noFilesBecause('openai_api', takingFiles(false), web(true))).toBe(null)
  })

  test.each(['drop', 'paste'])(
    'added by a %s where none are accepted are refused with the reason, and do not replace the page',
    async type => {
      const { screen } = await openTestPortal(READING_NOTHING, '/conversation', UPLOADER)
      await expect.element(screen.getByRole('button', { name: '模型：GPT-4' })).toBeVisible()
      const given = new DataTransfer()
      given.items.add(new File(['x'], 'notes.txt'))
      const event =
        type === 'drop'
          ? new DragEvent('drop', { dataTransfer: given, bubbles: true, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: given, bubbles: true, cancelable: true })
      screen.getByTestId('composer').element().dispatchEvent(event)
      expect(event.defaultPrevented).toBe(true)
      expect(useToasts.getState().toasts).toMatchObject([
        { title: '这里不能放文件', text: '这个模型不读文件，可以换一个' },
      ])
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

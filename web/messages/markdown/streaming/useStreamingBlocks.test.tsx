import { describe, expect, test } from 'vitest'
import { frameScheduler } from './useStreamingBlocks.ts'

/** What happened until the text was shown; `pause` stands where the browser could have done something else. */
function untilShown(atEnd: boolean): Promise<string[]> {
  const happened: string[] = []
  return new Promise(resolve => {
    frameScheduler(() => atEnd)({
      prepare() {
        happened.push('prepared')
        queueMicrotask(() => happened.push('pause'))
      },
      show() {
        happened.push('shown')
        queueMicrotask(() => resolve(happened))
      },
    })
  })
}

describe('growing text', () => {
  test('is prepared in a task of its own and shown in a later one', async () => {
    expect(await untilShown(false)).toEqual(['prepared', 'pause', 'shown'])
  })

  test('does not wait at its end', async () => {
    expect(await untilShown(true)).toEqual(['prepared', 'shown', 'pause'])
  })

  test('waits until what was shown before it is painted', async () => {
    const schedule = frameScheduler(() => false)
    const happened: string[] = []
    await new Promise<void>(resolve => {
      schedule({
        prepare: () => undefined,
        show() {
          requestAnimationFrame(() => happened.push('painted'))
          schedule({ prepare: () => happened.push('prepared'), show: resolve })
        },
      })
    })
    expect(happened).toEqual(['painted', 'prepared'])
  })

  test('that was cancelled is not shown', async () => {
    let shown = false
    const cancel = frameScheduler(() => false)({
      prepare: () => undefined,
      show: () => {
        shown = true
      },
    })
    cancel()
    await untilShown(false)
    expect(shown).toBe(false)
  })
})

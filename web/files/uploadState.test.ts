import { describe, expect, test } from 'vitest'
import { afterEvent, attachmentsOf, isUnderWay, type UploadState } from './uploadState.ts'
import { aFile, anUpload } from './builders.testing.ts'

const attachment = { name: 'a.csv', id: 'file-a', size: 3 }
const reason = { message: 'errors.timeout', values: null }

describe('an upload', () => {
  test('waits, leaves, is stored and is ready', () => {
    const steps = [{ type: 'progress', share: 0.5 }, { type: 'sent' }, { type: 'stored', attachment }] as const
    const states = steps.reduce<UploadState[]>(
      (all, step) => [...all, afterEvent(all.at(-1) ?? { phase: 'waiting' }, step)],
      [],
    )
    expect(states).toEqual([{ phase: 'uploading', share: 0.5 }, { phase: 'storing' }, { phase: 'ready', attachment }])
  })
  test('may fail on its way, and then be tried again', () => {
    const failed = afterEvent({ phase: 'uploading', share: 0.5 }, { type: 'failed', reason })
    expect(failed).toEqual({ phase: 'failed', reason })
    expect(afterEvent(failed, { type: 'again' })).toEqual({ phase: 'waiting' })
  })
  test.each<UploadState>([
    { phase: 'ready', attachment },
    { phase: 'refused', reason },
  ])('that is $phase hears nothing more', state => {
    for (const event of [
      { type: 'progress', share: 1 },
      { type: 'sent' },
      { type: 'failed', reason },
      { type: 'again' },
    ] as const) {
      expect(afterEvent(state, event)).toBe(state)
    }
  })
  test('is under way until it is ready, failed or refused', () => {
    const states: UploadState[] = [
      { phase: 'waiting' },
      { phase: 'uploading', share: 1 },
      { phase: 'storing' },
      { phase: 'ready', attachment },
      { phase: 'failed', reason },
      { phase: 'refused', reason },
    ]
    expect(states.map(isUnderWay)).toEqual([true, true, true, false, false, false])
  })
  test('is an attachment once it is ready', () => {
    expect(
      attachmentsOf([anUpload(aFile('b.txt')), anUpload(aFile('a.csv'), { state: { phase: 'ready', attachment } })]),
    ).toEqual([attachment])
  })
})

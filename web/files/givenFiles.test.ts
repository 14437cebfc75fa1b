import { describe, expect, test } from 'vitest'
import { MAX_FILE_BYTES } from '#contract/files.ts'
import { aFile, anUpload } from './builders.testing.ts'
import { takeFiles } from './givenFiles.ts'

const names = (count: number, end: string) => Array.from({ length: count }, (_, at) => aFile(`${at}.${end}`))
const states = (files: File[], model = 'gpt_4') =>
  takeFiles(files, [], model).taken.map(({ name, state }) => `${name} ${state.phase}`)

describe('files that are given', () => {
  test('wait for their turn', () => {
    expect(states([aFile('notes.txt'), aFile('photo.JPG')])).toEqual(['notes.txt waiting', 'photo.JPG waiting'])
  })
  test('are ten at most, with those that are there already', () => {
    const present = names(4, 'txt').map(file => anUpload(file))
    const { taken, beyond } = takeFiles(names(8, 'md'), present, 'gpt_4')
    expect([taken.length, beyond]).toEqual([6, { files: 2, pictures: 0 }])
  })
  test('are four pictures at most for the model that is shown them; the code interpreter counts them as files', () => {
    const { taken, beyond } = takeFiles([...names(6, 'png'), aFile('a.txt')], [], 'gpt_4')
    expect([taken.length, beyond]).toEqual([5, { files: 0, pictures: 2 }])
    expect(takeFiles(names(6, 'png'), [], 'gpt_4_code_interpreter').taken).toHaveLength(6)
  })
  test('of more than 512 MB are refused with the bound', () => {
    expect(states([aFile('a.pdf', MAX_FILE_BYTES), aFile('b.pdf', MAX_FILE_BYTES + 1)])).toEqual([
      'a.pdf waiting',
      'b.pdf refused',
    ])
    expect(takeFiles([aFile('b.pdf', MAX_FILE_BYTES + 1)], [], 'gpt_4').taken[0]?.state).toEqual({
      phase: 'refused',
      reason: { message: 'errors.fileTooLarge', values: { max_bytes: MAX_FILE_BYTES } },
    })
  })
  test('that the model does not read are refused; the code interpreter reads anything', () => {
    expect(states([aFile('a.zip'), aFile('b.mp4', 3, 'video/mp4')])).toEqual(['a.zip refused', 'b.mp4 refused'])
    expect(states([aFile('a.zip')], 'gpt_4_code_interpreter')).toEqual(['a.zip waiting'])
  })
})

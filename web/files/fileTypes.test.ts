import { describe, expect, test } from 'vitest'
import { acceptOf, isPicture, isReadBy, typeOf } from './fileTypes.ts'

describe('the type of a file', () => {
  test('is by its extension, whatever type the system gives', () => {
    expect(typeOf({ name: 'main.ts', type: 'video/mp2t' })).toBe('text/x-typescript')
    expect(typeOf({ name: '说明.MD', type: '' })).toBe('text/markdown')
  })
  test('is the type from the browser without a known extension, else any', () => {
    expect(typeOf({ name: 'image', type: 'image/png' })).toBe('image/png')
    expect(typeOf({ name: 'data.constructor', type: '' })).toBe('application/octet-stream')
  })
})

describe('a model', () => {
  test('that sees pictures reads the types of the specification', () => {
    expect(
      ['text/x-csharp', 'application/pdf', 'text/plain', 'image/webp'].every(type => isReadBy('gpt_4', type)),
    ).toBe(true)
    expect(['application/zip', 'image/svg+xml', 'text/csv'].some(type => isReadBy('gpt_4', type))).toBe(false)
    expect(acceptOf('gpt_4')).toMatch(/^\.cs,.*\.pptx,.*,image\/gif$/)
  })
  test('that runs code reads anything', () => {
    expect(isReadBy('gpt_4_code_interpreter', 'application/zip')).toBe(true)
    expect(acceptOf('gpt_4_code_interpreter')).toBe(undefined)
  })
})

test('an SVG is not a picture, since it may contain scripts', () => {
  expect(['image/png', 'image/jpeg', 'image/svg+xml'].map(isPicture)).toEqual([true, true, false])
})

import { expect, test } from 'vitest'
import { kindLabel } from './kindLabel.ts'

test.each([
  ['年报.pdf', 'PDF'],
  ['letter.docx', 'DOC'],
  ['a.b.xlsx', 'XLS'],
  ['README', 'TXT'],
  ['notes.markdown', 'MD'],
  ['x.constructor', 'TXT'],
  ['main.py', 'PY'],
])('%s is shown as %s', (name, label) => {
  expect(kindLabel({ name })).toBe(label)
})

import { expect, test } from 'vitest'
import { builtCode } from './builtCode.testing.ts'
import { kitIds } from './kitIds.ts'

const REACT = /^react/

test('a field of the kit has its id when it is drawn, and is not given another one in an effect', async () => {
  const code = await builtCode("export { useId } from '@mantine/hooks'", [kitIds()], REACT)
  expect(code).toContain('typeof given === "string" ? given : own')
  expect(code).not.toMatch(/useLayoutEffect|randomId/)
})
test('a build in which the kit makes its ids elsewhere says so', async () => {
  await expect(builtCode("export { useRef } from 'react'", [kitIds()], REACT)).rejects.toThrow('scripts/kitIds.ts')
})

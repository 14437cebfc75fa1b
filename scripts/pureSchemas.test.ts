import { expect, test } from 'vitest'
import { builtCode } from './builtCode.testing.ts'
import { pureSchemas } from './pureSchemas.ts'

const ONE_CALL = "export { deleteUser } from '#contract/accounts.ts'"
const ONE_OF_CONFIGURATION = "export { readModelsAgain } from '#contract/configuration.ts'"
const ZOD = /^zod/

test('a page holds the schemas that its calls name, and no others of their modules', async () => {
  const [all, needed] = [await builtCode(ONE_CALL, [], ZOD), await builtCode(ONE_CALL, [pureSchemas()], ZOD)]
  expect(all).toContain('max_conv_count')
  expect(needed).not.toContain('max_conv_count')
  expect(needed).toMatch(/path: "\/user\/:id"/)
})
test('a page that reads models holds no setting, whose schemas stand in a folder below', async () => {
  const all = await builtCode(ONE_OF_CONFIGURATION, [], ZOD)
  const needed = await builtCode(ONE_OF_CONFIGURATION, [pureSchemas()], ZOD)
  expect(all).toContain('max_queue_length')
  expect(needed).not.toContain('max_queue_length')
})

import { describe, expect, test } from 'vitest'
import { Refusal } from '#server/foundation/refusal.ts'
import { keyInRequest } from './keyInRequest.ts'

describe('the key of a request', () => {
  test.each([
    [{}, null],
    [{ authorization: '' }, null],
    [{ authorization: 'Bearer one' }, 'one'],
    [{ authorization: 'bearer  one' }, 'one'],
    [{ 'x-api-key': 'one' }, 'one'],
    [{ 'x-api-key': 'one', authorization: 'Bearer one' }, 'one'],
    [{ 'x-api-key': '', authorization: 'Bearer one' }, 'one'],
    [{ cookie: 'commons_session=one' }, null],
  ])('in %j is %s', (headers, key) => {
    expect(keyInRequest(headers)).toBe(key)
  })
  test.each([{ authorization: 'Basic dTpw' }, { authorization: 'Bearer' }, { authorization: 'Bearer a b' }])(
    'in %j is none that anybody has',
    headers => {
      expect(keyInRequest(headers)).toBe('')
    },
  )
  test('is refused where there are two', () => {
    expect(() => keyInRequest({ authorization: 'Bearer one', 'x-api-key': 'two' })).toThrow(Refusal)
  })
})

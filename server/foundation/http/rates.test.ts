import { describe, expect, test } from 'vitest'
import { anEdge } from '#testing/edge.ts'
import { edgeWithSockets } from '#testing/edgeSockets.ts'
import { addressKey, requestRates } from './rates.ts'

/** A clock that stands until it is moved. */
function aClock() {
  let now = 0
  return {
    monotonic: () => now,
    advance: (ms: number) => {
      now += ms
    },
  }
}

describe('the rate of requests', () => {
  test('is so many a minute, and comes back steadily', () => {
    const clock = aClock()
    const rates = requestRates(() => 60, clock)
    for (let times = 0; times < 60; times++) rates.take('ann')
    expect(() => rates.take('ann')).toThrow('errors.tooManyRequests')
    clock.advance(1000)
    rates.take('ann')
    expect(() => rates.take('ann')).toThrow()
    clock.advance(3_600_000)
    for (let times = 0; times < 60; times++) rates.take('ann')
    expect(() => rates.take('ann')).toThrow()
  })
  test('tells when the next one may come', () => {
    const rates = requestRates(() => 10, aClock())
    for (let times = 0; times < 10; times++) rates.take('ann')
    expect(() => rates.take('ann')).toThrow(expect.objectContaining({ values: { retry_after_seconds: 6 } }))
  })
  test('is counted for each by itself', () => {
    const rates = requestRates(() => 1, aClock())
    rates.take('ann')
    rates.take('ben')
    expect(() => rates.take('ann')).toThrow()
  })
  test('follows the configuration at once', () => {
    let allowed = 1
    const clock = aClock()
    const rates = requestRates(() => allowed, clock)
    rates.take('ann')
    expect(() => rates.take('ann')).toThrow()
    allowed = 60_000
    clock.advance(1)
    rates.take('ann')
  })
  test('remembers a bounded number of names', () => {
    const rates = requestRates(() => 10, aClock())
    for (let name = 0; name < 50_000; name++) rates.take(String(name))
    expect(rates.knows('0')).toBe(false)
    expect(rates.knows('49999')).toBe(true)
  })
})

describe('an address', () => {
  test('of IPv6 counts with its neighbours as one', () => {
    expect(addressKey('2001:db8:1:2:3:4:5:6')).toBe(addressKey('2001:db8:1:2::1'))
    expect(addressKey('2001:db8:1:3::1')).not.toBe(addressKey('2001:db8:1:2::1'))
  })
  test('of IPv4 counts by itself, however it is written', () => {
    expect(addressKey('::ffff:10.0.0.1')).toBe('10.0.0.1')
    expect(addressKey('10.0.0.2')).not.toBe(addressKey('10.0.0.1'))
  })
})

describe('too many requests', () => {
  test('of one session are refused, and others are not touched', async () => {
    const clock = aClock()
    const { call, metrics } = await anEdge({ requestsPerMinute: () => 10, clock })
    await call('/api/thing/7', { as: 'ben' })
    for (let times = 0; times < 10; times++) expect((await call('/api/thing/7', { as: 'ann' })).envelope.code).toBe(200)
    const { envelope } = await call('/api/thing/7', { as: 'ann' })
    expect(envelope).toMatchObject({ code: -1, message: 'errors.tooManyRequests', values: { retry_after_seconds: 6 } })
    expect((await call('/api/thing/7', { as: 'ben' })).envelope.code).toBe(200)
    expect((await metrics.limitedRequests.get()).values[0]?.value).toBe(1)
  })
  test('with made-up sessions count for the address they come from', async () => {
    const { call } = await anEdge({ requestsPerMinute: () => 10, clock: aClock() })
    for (let times = 0; times < 10; times++)
      expect((await call('/api/thing/7', { as: `nobody${times}` })).envelope.code).toBe(10401)
    expect((await call('/api/thing/7', { as: 'nobody' })).envelope.message).toBe('errors.tooManyRequests')
  })
  test('count whether they ask for a page or for a socket', async () => {
    const edge = await edgeWithSockets({}, { requestsPerMinute: () => 3, clock: aClock() })
    for (let times = 0; times < 3; times++) await edge.connected({ as: 'ann' })
    expect(await edge.attempt({ as: 'ann' })).toMatchObject({ status: 429, message: 'errors.tooManyRequests' })
    expect((await edge.call('/api/thing/7', { as: 'ann' })).envelope.message).toBe('errors.tooManyRequests')
    for (let times = 0; times < 2; times++) expect((await edge.attempt({ as: `nobody${times}` })).status).toBe(401)
    expect((await edge.attempt({ as: 'nobody' })).status).toBe(429)
    expect((await edge.metrics.limitedRequests.get()).values[0]?.value).toBe(3)
  })
  test('leave the health of the process visible', async () => {
    const { call } = await anEdge({ requestsPerMinute: () => 10, clock: aClock() })
    for (let times = 0; times < 50; times++) expect((await call('/healthz')).status).toBe(200)
  })
  test('are told apart by X-Forwarded-For behind a trusted proxy only', async () => {
    const through = (address: string) => ({ headers: { 'x-forwarded-for': address } })
    const trusting = await anEdge({ requestsPerMinute: () => 1, clock: aClock(), trustedProxies: ['127.0.0.1'] })
    await trusting.call('/api/thing/7', through('203.0.113.1'))
    expect((await trusting.call('/api/thing/7', through('203.0.113.2'))).envelope.code).toBe(10401)
    expect((await trusting.call('/api/thing/7', through('203.0.113.1'))).envelope.code).toBe(-1)
    const direct = await anEdge({ requestsPerMinute: () => 1, clock: aClock() })
    await direct.call('/api/thing/7', through('203.0.113.1'))
    expect((await direct.call('/api/thing/7', through('203.0.113.2'))).envelope.code).toBe(-1)
  })
  test('are not told apart by what a visitor claims to a proxy that only adds to it', async () => {
    const { call } = await anEdge({
      requestsPerMinute: () => 1,
      clock: aClock(),
      trustedProxies: ['127.0.0.1', '10.0.0.0/8'],
    })
    const claiming = (address: string) => ({ headers: { 'x-forwarded-for': `${address}, 198.51.100.7, 10.1.2.3` } })
    await call('/api/thing/7', claiming('203.0.113.1'))
    expect((await call('/api/thing/7', claiming('203.0.113.2'))).envelope.code).toBe(-1)
  })
})

import { describe, expect, test } from 'vitest'
import type { UsageLine } from '#contract/usage.ts'
import { dayLines, ledgerLines, tableLines } from './csv.ts'

const HEAD = { time_zone: 'Asia/Shanghai', currency: 'EUR' }
const USED = {
  asks: 3,
  input_tokens: 20,
  cached_tokens: 5,
  output_tokens: 10,
  tokens: 30,
  money: 0.000_001,
  seconds: 1.25,
  estimated: false,
}
const of = { source: 'openai_api', model: 'gpt_4' } as const

const aLine = (id: number): UsageLine => ({
  id,
  time: '2026-11-20T05:00:00.000Z',
  ask_time: '2026-11-20T04:59:00.000Z',
  ...of,
  upstream_label: '',
  ask_id: null,
  reason: 'settled',
  ...USED,
})

describe('a file of use', () => {
  test('names the time zone of its days, the currency of its money, and every column', () => {
    const [head, row] = [...dayLines([{ day: '2026-11-20', ...of, ...USED }], HEAD)]
    expect(head).toBe(
      'day (Asia/Shanghai),source,model,asks,input_tokens,cached_tokens,output_tokens,tokens,money (EUR),seconds,estimated\r\n',
    )
    expect(row).toBe('2026-11-20,openai_api,gpt_4,3,20,5,10,30,0.000001,1.25,false\r\n')
  })
  test('counts an ask that was paid half as a half', () => {
    const [, row] = [...dayLines([{ day: '2026-11-20', ...of, ...USED, asks: 2.5 }], HEAD)]
    expect(row).toContain(',gpt_4,2.5,20,')
  })
  test('has a name that a spreadsheet would run as the text that it is', () => {
    const rows = [{ user_id: 2, nickname: '=1+1', ...of, upstream_id: 1, upstream_label: '@x', ...USED }]
    const [, row] = [...tableLines(rows, HEAD)]
    expect(row).toContain("2,'=1+1,openai_api,gpt_4,1,'@x,3,")
  })
  test('leaves out the name and the number of those who are gone', () => {
    const rows = [{ user_id: null, nickname: null, ...of, upstream_id: 1, upstream_label: '', ...USED }]
    const [, row] = [...tableLines(rows, HEAD)]
    expect(row?.startsWith(',,openai_api')).toBe(true)
  })
})

describe('a file of the ledger', () => {
  test('is read a part at a time, with the times of the zone', async () => {
    const asked: number[] = []
    const page = (limit: number, offset: number) => {
      asked.push(offset)
      return Promise.resolve(Array.from({ length: offset === 0 ? limit : 1 }, (_, at) => aLine(offset + at)))
    }
    const lines = (await Array.fromAsync(ledgerLines(page, HEAD))).join('').split('\r\n')
    expect(asked).toEqual([0, 2_000])
    expect(lines).toHaveLength(2_003)
    expect(lines[0]?.startsWith('time (Asia/Shanghai),ask_time (Asia/Shanghai),reason,')).toBe(true)
    expect(lines[1]).toBe(
      '2026-11-20 13:00:00,2026-11-20 12:59:00,settled,openai_api,gpt_4,,3,20,5,10,30,0.000001,false,',
    )
  })
})

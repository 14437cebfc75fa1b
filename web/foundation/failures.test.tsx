import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { freshDevice, refusal } from './api.testing.ts'
import { RefusedCall, TransportFailure } from './call.ts'
import { failureText, reportFailure } from './failures.ts'
import { showToast, useToasts } from './toasts.ts'

const shown = () =>
  useToasts
    .getState()
    .toasts.map(({ tone, code, title, text }) => [tone, ...(code === undefined ? [] : [code, title]), text])

beforeEach(freshDevice)

describe('a failure', () => {
  test('that is a refusal shows its code and its words', () => {
    reportFailure(new RefusedCall(refusal('queueFull')))
    expect(shown()).toEqual([['refusal', -1, '排队的人太多，请稍后再问', '']])
  })
  test('with a result in words shows those too, translated where they are a key', () => {
    reportFailure(new RefusedCall(refusal('invalidParams', { result: 'errors.conversationNotFound' })))
    reportFailure(new RefusedCall(refusal('invalidParams', { result: 'File is too old' })))
    expect(shown()).toEqual([
      ['refusal', -1, '参数不正确', '没有找到这个对话'],
      ['refusal', -1, '参数不正确', 'File is too old'],
    ])
  })
  test('whose values its words name says them once', () => {
    reportFailure(
      new RefusedCall(refusal('fileTooLarge', { result: 'max_bytes: 2097152', values: { max_bytes: 2_097_152 } })),
    )
    expect(shown()).toEqual([['refusal', -1, '文件太大，最大 2 MB', '']])
  })
  test('of validation names the first field that was wrong', () => {
    const detail = [
      { loc: ['body', 'title'], msg: 'Too long', type: 'too_big' },
      { loc: ['body', 'x'], msg: 'y', type: 'z' },
    ]
    reportFailure(new RefusedCall(refusal('requestValidationError', { detail })))
    expect(shown()).toEqual([['refusal', 422, '提交的内容不符合要求', 'body.title Too long']])
  })
  test('of transport shows its message, or that the request failed', () => {
    reportFailure(new TransportFailure('GET /x: odd'))
    reportFailure(new TransportFailure(''))
    expect(shown()).toEqual([
      ['transport', 'GET /x: odd'],
      ['transport', '没有连上服务器，检查网络后再试'],
    ])
  })
  test('that a proxy before the portal answered says so, and when it was for its size', () => {
    reportFailure(new TransportFailure('HTTP 502', { status: 502 }))
    reportFailure(new TransportFailure('HTTP 413', { status: 413 }))
    expect(shown()).toEqual([
      ['transport', '应答的不是服务器，而是它前面的代理（HTTP 502）。过一会儿再试，一直这样请告诉管理员'],
      ['transport', '服务器前面的代理不接收这么大的内容（HTTP 413）。管理员可以在代理上放宽'],
    ])
  })
  test('that the dialog of the lost session reports, or that was an abort, shows nothing', () => {
    reportFailure(new RefusedCall(refusal('loginExpired')))
    reportFailure(new DOMException('', 'AbortError'))
    expect(shown()).toEqual([])
  })
  test('that is unexpected is shown and written to the console', () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => written.mockRestore())
    reportFailure(new RangeError('unforeseen'))
    expect(shown()).toEqual([['transport', 'unforeseen']])
    expect(written).toHaveBeenCalledOnce()
  })
})

describe('a failure in one line', () => {
  test.each([
    [new RefusedCall(refusal('openai.403')), '502 上游拒绝了访问（403），请联系管理员'],
    [new RefusedCall(refusal('invalidParams', { result: 'errors.pluginNotFound' })), '-1 参数不正确：没有找到这个插件'],
    [new RefusedCall(refusal('loginExpired')), '10401 登录已过期，请重新登录'],
    [new TransportFailure(''), '没有连上服务器，检查网络后再试'],
    [
      new TransportFailure('HTTP 503', { status: 503 }),
      '应答的不是服务器，而是它前面的代理（HTTP 503）。过一会儿再试，一直这样请告诉管理员',
    ],
  ])('begins with the code of a refusal: %s', (failure, line) => {
    expect(failureText(failure)).toBe(line)
  })
})

describe('the toasts', () => {
  test('are three at most, the newest', () => {
    for (const title of ['1', '2', '3', '4']) showToast({ tone: 'success', title, text: '' })
    expect(useToasts.getState().toasts.map(({ title }) => title)).toEqual(['2', '3', '4'])
  })
  test('with an undo are never pushed out, and never merged', () => {
    const undo = () => {}
    for (const title of ['gone', 'gone']) showToast({ tone: 'success', title, text: '', undo })
    for (const title of ['1', '2', '3', 'gone']) showToast({ tone: 'success', title, text: '' })
    expect(useToasts.getState().toasts.map(({ title, undo: back }) => [title, back !== undefined])).toEqual([
      ['gone', true],
      ['gone', true],
      ['gone', false],
    ])
  })
  test('say the same thing only once', () => {
    for (const title of ['again', 'other', 'again']) showToast({ tone: 'success', title, text: '' })
    expect(useToasts.getState().toasts.map(({ title }) => title)).toEqual(['other', 'again'])
  })
})

import { describe, expect, test } from 'vitest'
import { baseAddressOf, keyText, requestAddress } from './settings.ts'

describe('the address of a request', () => {
  test.each([
    ['http://127.0.0.1:11434/v1/', 'http://127.0.0.1:11434/v1'],
    ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434/v1'],
    ['http://127.0.0.1:11434/v1///', 'http://127.0.0.1:11434/v1'],
    ['  http://127.0.0.1:11434/v1/ \n', 'http://127.0.0.1:11434/v1'],
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1'],
    ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434/v1'],
    ['http://127.0.0.1:11434//', 'http://127.0.0.1:11434/v1'],
    ['https://api.example.org/v1/chat/completions', 'https://api.example.org/v1'],
    ['https://api.example.org/v1/chat/completions/', 'https://api.example.org/v1'],
    ['https://api.example.org/v1//chat/completions', 'https://api.example.org/v1'],
    ['https://api.example.org/chat/completions', 'https://api.example.org'],
    ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api/v1'],
    ['https://api.example.org/v1/models', 'https://api.example.org/v1'],
    ['https://api.example.org/v1/responses/', 'https://api.example.org/v1'],
    ['https://api.example.org/v1beta2/completions', 'https://api.example.org/v1beta2'],
    ['https://x.services.ai.azure.com/models', 'https://x.services.ai.azure.com/models'],
    [
      'https://generativelanguage.googleapis.com/v1beta/openai/',
      'https://generativelanguage.googleapis.com/v1beta/openai',
    ],
    ['https://proxy.example.org/chat', 'https://proxy.example.org/chat'],
    ['https://api.example.org/v1/#top', 'https://api.example.org/v1'],
  ])('with the base %j follows %s', (base, folder) => {
    expect(requestAddress(base, 'chat/completions')).toBe(`${folder}/chat/completions`)
    expect(requestAddress(base, 'models')).toBe(`${folder}/models`)
  })
  test.each([
    ['https://x.openai.azure.com/openai/deployments/gpt-4o?api-version=2024-10-21', '/openai/deployments/gpt-4o'],
    ['https://x.openai.azure.com/openai/deployments/gpt-4o/?api-version=2024-10-21', '/openai/deployments/gpt-4o'],
    [
      'https://x.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21',
      '/openai/deployments/gpt-4o',
    ],
    ['https://x.openai.azure.com?api-version=2024-10-21', '/v1'],
  ])('stands before the query of %s', (base, folder) => {
    expect(requestAddress(base, 'chat/completions')).toBe(
      `https://x.openai.azure.com${folder}/chat/completions?api-version=2024-10-21`,
    )
    expect(requestAddress(base, 'models')).toBe(`https://x.openai.azure.com${folder}/models?api-version=2024-10-21`)
  })
})

describe('a key', () => {
  test.each([
    ' sk-a1\n',
    '\u200Bsk-a1\uFEFF',
    '"sk-a1"',
    "'sk-a1' ",
    '“sk-a1”',
    'Bearer sk-a1',
    'Authorization: Bearer sk-a1',
    '"Bearer sk-a1"',
  ])('is what stands in %j', given => {
    expect(keyText.parse(given)).toBe('sk-a1')
  })
  test.each(['sk a1', 'sk\na1', '密钥', 'sk\u200Ba1'])('is not %j', given => {
    expect(keyText.safeParse(given).success).toBe(false)
  })
  test('that is too long is refused before it is looked through: hostile white space took minutes', () => {
    expect(keyText.safeParse(`x${' '.repeat(1_000_000)}y`).success).toBe(false)
  })
})

describe('a base address', () => {
  test.each([
    'https://api.example.org/v1/',
    ' http://10.0.0.5:8000 ',
    'https://x.example.org/deployments/a?api-version=1',
  ])('may be %j', text => {
    expect(baseAddressOf(text)?.href).toContain('://')
  })
  test.each([
    '',
    'api.example.org/v1',
    'ftp://api.example.org/',
    'javascript:alert(1)',
    'https://me:word@api.example.org/',
    'https://me@api.example.org/',
    'https://api.example.org/v1/#top',
    'https://api .example.org/',
    `https://api.example.org/${'x'.repeat(2_000)}`,
  ])('is not %j', text => {
    expect(baseAddressOf(text)).toBe(null)
  })
})

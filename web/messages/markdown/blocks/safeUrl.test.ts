import { describe, expect, test } from 'vitest'
import { safeImage, safeLink } from './safeUrl.ts'

const PORTAL = 'https://portal.example'
const FILE = '/api/files/local/download/0d3f7a52-3f0e-4b7a-9a53-0a4a3c1d2e4f'

describe('A link within the portal', () => {
  test.each([
    '/',
    '/home',
    '/conversation',
    '/conversation?id=1',
    '/conv/0d3f7a52-3f0e',
    '/admin',
    '/admin/system',
    '/admin/openai_settings',
    FILE,
  ])('leads to a page or a file: %s', path => {
    expect(safeLink(PORTAL + path, PORTAL)).toEqual({ kind: 'outside', href: PORTAL + path })
  })
  test.each([
    '/api/conv',
    '/api/auth/logout',
    '/metrics',
    '/api/docs',
    '/index.html',
    '/API/conv',
    '/api/files/file-1/download-url',
    `${FILE}/../../../../conv`,
    '/conv/..%2fapi',
    '/conversation/../api/conv',
    '/conv/%2e%2e/api/conv',
    '/conversation\\..\\api\\conv',
    '//api/conv',
    '/home/../metrics',
    '/%61pi/conv',
    '/assets/index.js',
    '/chat',
  ])('to anything else is none: %s', path => {
    for (const origin of [
      PORTAL,
      'http://portal.example',
      'https://user:word@portal.example',
      'https://PORTAL.example.',
      'https://portal.example:443',
    ])
      expect(safeLink(origin + path, PORTAL)).toBeNull()
  })
  test('that is relative is none', () => {
    for (const url of ['/home', 'home', '//portal.example/home', '\\\\portal.example\\home', '?id=1', '#x', '../api'])
      expect(safeLink(url, PORTAL)).toBeNull()
  })
  test('is none of another host or port', () => {
    for (const url of [
      'https://portal.example.org/api',
      'https://portal.example:8443/metrics',
      'https://api.portal.example/',
    ])
      expect(safeLink(url, PORTAL)?.kind).toBe('outside')
    expect(safeLink('mailto:a@portal.example', PORTAL)?.kind).toBe('outside')
  })
})

describe('A picture within the portal', () => {
  test('is an uploaded file', () => {
    for (const url of [FILE, PORTAL + FILE, `${FILE}?again=1#x`])
      expect(safeImage(url, PORTAL)).toEqual({ kind: 'own', src: PORTAL + FILE, host: 'portal.example' })
  })
  test('is a picture of an answer that was stored', () => {
    const kept = FILE.replace('local/download/', '').concat('/content')
    expect(safeImage(kept, PORTAL)).toEqual({ kind: 'own', src: PORTAL + kept, host: 'portal.example' })
  })
  test.each([
    'picture.png',
    '/api/conv',
    '/api/files/file-abc123/content',
    `${FILE.replace('local/download/', '')}/thumbnail`,
    '/metrics',
    '/icons/apple-touch.png',
    `${FILE}/..`,
    `${FILE}%2f..`,
    '//portal.example/api/conv',
    '/\\portal.example/api/conv',
    '\\\\portal.example\\api\\conv',
    '?x=1',
    '#x',
    '.',
    '',
    'http://portal.example/api/conv',
    `http://portal.example${FILE}`,
    'https://portal.example./api/conv',
    'https://a@portal.example/api/conv',
    '/%61pi/files/local/download/x',
    '/api/files/local/download/',
    'https:api/conv',
  ])('and nothing else: %s', url => expect(safeImage(url, PORTAL)).toBeNull())
  test('or in the text itself', () => {
    for (const type of ['png', 'jpeg', 'gif', 'webp'])
      expect(safeImage(`data:image/${type};base64,iVBORw0KGgo=`, PORTAL)?.kind).toBe('own')
    expect(safeImage(`data:image/png;base64,${'A'.repeat(8_000_000)}`, PORTAL)?.kind).toBe('own')
    for (const url of [
      'data:image/png;base64,AAAA"x',
      'data:image/svg+xml;base64,AAAA',
      'data:text/html;base64,AAAA',
      'data:image/png,AAAA',
      'blob:https://portal.example/1',
    ])
      expect(safeImage(url, PORTAL)).toBeNull()
  })
  test('from elsewhere is not loaded', () => {
    for (const url of [
      'https://elsewhere.example/p.png',
      '//elsewhere.example/p.png',
      'https://portal.example:8443/api',
    ])
      expect(safeImage(url, PORTAL)?.kind).toBe('foreign')
  })
})

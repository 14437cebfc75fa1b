import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { anEdge, dropThings, keepThing, openThing, readThing } from '#testing/edge.ts'
import { openApiDocument } from './openApi.ts'

describe('the description of the API', () => {
  const { paths, openapi, info } = openApiDocument([readThing, keepThing, openThing, dropThings], '0.4.9')

  test('is OpenAPI 3.1 of this version', () => {
    expect([openapi, info.version]).toEqual(['3.1.0', '0.4.9'])
  })
  test('has every call under its path and method', () => {
    expect(Object.entries(paths).map(([path, methods]) => [path, Object.keys(methods)])).toEqual([
      ['/thing/{id}', ['get']],
      ['/thing', ['post', 'delete']],
      ['/thing/open', ['post']],
    ])
  })
  test('tells what a call takes, and where', () => {
    expect(paths['/thing/{id}']?.['get']).toMatchObject({
      summary: 'A thing.',
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^\\d+$' } },
        { name: 'color', in: 'query', required: false, schema: { type: 'string' } },
      ],
    })
    expect(paths['/thing']?.['post']).toMatchObject({
      requestBody: {
        content: {
          'application/json': {
            schema: { required: ['name'], properties: { count: { type: 'integer', maximum: 1000 } } },
          },
        },
      },
    })
    expect(paths['/thing/open']?.['post']).toHaveProperty('requestBody.content.multipart/form-data')
  })
  test('tells who may make it', () => {
    expect(paths['/thing']?.['delete']).toMatchObject({
      security: [{ session: [] }],
      description: 'Needs the session of an administrator.',
    })
    expect(paths['/thing/open']?.['post']).not.toHaveProperty('security')
  })
  test('tells what comes back, in its envelope', () => {
    expect(paths['/thing/{id}']?.['get']).toHaveProperty(
      [
        'responses',
        '200',
        'content',
        'application/json',
        'schema',
        'properties',
        'result',
        'properties',
        'user',
        'type',
      ],
      'integer',
    )
  })
})

describe('the description of a call that answers with a file', () => {
  const fetchThing = { ...readThing, result: z.unknown(), resultKind: 'file' } as const
  const { paths } = openApiDocument([fetchThing], '0.4.9')

  test('has the HTTP statuses that it answers with', () => {
    expect(paths['/thing/{id}']?.['get']).toMatchObject({
      responses: {
        200: { content: { 'application/octet-stream': {} } },
        206: {},
        416: {},
        default: { content: { 'application/json': { schema: { properties: { message: { type: 'string' } } } } } },
      },
    })
  })
})

describe('browsing the API', () => {
  test.each(['/api/openapi.json', '/api/docs/', '/api/docs/json', '/api/docs/static/swagger-ui.css'])(
    'at %s is for administrators',
    async path => {
      const { call } = await anEdge()
      expect(await call(path)).toMatchObject({ status: 401, envelope: { code: 10401 } })
      expect(await call(path, { as: 'ann' })).toMatchObject({ status: 403, envelope: { code: 10403 } })
      const { status, text } = await call(path, { as: 'sue' })
      expect(status).toBe(200)
      expect(text.startsWith('{"code"')).toBe(false)
    },
  )
  // It is linked without the slash, and relative addresses would lead elsewhere then.
  test.each(['/api/docs', '/api/docs/'])('at %s finds everything the page is made of', async path => {
    const { call } = await anEdge()
    const { text } = await call(path, { as: 'sue' })
    const named = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(
      ([, address = '']) => new URL(address, `http://portal${path}`).pathname,
    )
    expect(named).toContain('/api/docs/static/swagger-ui-bundle.js')
    for (const asset of named)
      expect(await call(asset, { as: 'sue' }), asset).toMatchObject({ status: 200, envelope: null })
  })
  test.each(['/api/openapi.json', '/api/docs/json'])('at %s shows the calls that have an answer', async path => {
    const { call } = await anEdge()
    const { text } = await call(path, { as: 'sue' })
    expect(Object.keys(JSON.parse(text).paths)).toEqual(['/thing/{id}', '/thing', '/thing/open'])
  })
  test('runs the page’s own scripts only', async () => {
    const { headers } = await (await anEdge()).call('/api/docs/', { as: 'sue' })
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /)
  })
})

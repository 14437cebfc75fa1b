import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openOutbound, type AddressPolicy } from './outbound.ts'
import { isPublic, type Resolve } from './addresses.ts'

/** Forms under which somebody might name this machine or its neighbours. */
const INTERNAL = [
  'http://127.0.0.1',
  'http://127.1',
  'http://127.0.1',
  'http://127.255.255.254',
  'http://2130706433',
  'http://0x7f000001',
  'http://0x7f.0.0.1',
  'http://0177.0.0.1',
  'http://017700000001',
  'http://0.0.0.0',
  'http://0',
  'http://[::]',
  'http://[::1]',
  'http://[0:0:0:0:0:0:0:1]',
  'http://[::ffff:127.0.0.1]',
  'http://[::ffff:7f00:1]',
  'http://[::7f00:1]',
  'http://[64:ff9b::7f00:1]',
  'http://[2002:7f00:1::]',
  'http://[2001:0:7f00:1::]',
  'http://[fd00::1]',
  'http://[fc00::1]',
  'http://[fe80::1]',
  'http://[fec0::1]',
  'http://[ff02::1]',
  'http://10.0.0.1',
  'http://10.255.255.255',
  'http://172.16.0.1',
  'http://172.31.255.255',
  'http://192.168.0.1',
  'http://100.64.0.1',
  'http://169.254.169.254',
  'http://[fd00:ec2::254]',
  'http://224.0.0.1',
  'http://255.255.255.255',
  'http://192.0.2.1',
  'http://198.18.0.1',
  'http://localhost',
  'http://LOCALHOST',
  'http://localhost.',
  'http://a.localhost',
  'http://a.localhost.',
  'http://127.0.0.1.',
  'http://①②⑦.0.0.1',
]

const PUBLIC_ONLY: AddressPolicy = { public_only: true, except: [] }
const DEADLINES = {
  connect_timeout_ms: 2000,
  first_byte_timeout_ms: 2000,
  idle_timeout_ms: 2000,
  total_timeout_ms: 4000,
}

let knocks = 0
const canary = createServer((_request, response) => {
  response.end('caught')
}).on('connection', () => {
  knocks++
})
let port = 0
beforeAll(async () => {
  canary.listen(0, '::')
  await once(canary, 'listening')
  port = portOf(canary)
})
afterAll(() => {
  canary.close().closeAllConnections()
})

describe('an address for the public network only', () => {
  const outbound = openOutbound()
  afterAll(() => outbound.close())

  test.each(INTERNAL)('is not %s', async address => {
    for (const scheme of ['http', 'https']) {
      const url = address.replace(/^http/, scheme)
      await expect(outbound.requireAllowed(url, PUBLIC_ONLY)).rejects.toMatchObject({ kind: 'address' })
      await expect(
        outbound.request({ method: 'GET', url: `${url}:${port}/`, addresses: PUBLIC_ONLY, ...DEADLINES }),
      ).rejects.toMatchObject({ kind: 'address' })
    }
    expect(knocks).toBe(0)
  })

  test('is any other, if it is asked by https', async () => {
    await outbound.requireAllowed('https://93.184.216.34/v1', PUBLIC_ONLY)
    await outbound.requireAllowed('https://[2606:2800:220:1::1]:8443/', PUBLIC_ONLY)
    await expect(outbound.requireAllowed('http://93.184.216.34/v1', PUBLIC_ONLY)).rejects.toMatchObject({
      kind: 'address',
    })
  })

  test.each([
    'https://93.184.216.34:25',
    'https://me:word@93.184.216.34',
    'ftp://93.184.216.34',
    'file:///etc/passwd',
    'nonsense',
    '',
  ])('is not %j', async url => {
    await expect(outbound.requireAllowed(url, PUBLIC_ONLY)).rejects.toMatchObject({ kind: 'address' })
  })

  test('may be one that the start configuration lists, with http as well', async () => {
    const listed = { public_only: true, except: ['127.0.0.0/8'] } as const
    const { body } = await outbound.request({
      method: 'GET',
      url: `http://127.0.0.1:${port}/`,
      addresses: listed,
      ...DEADLINES,
    })
    expect(await body.text(10)).toBe('caught')
    await expect(outbound.requireAllowed('http://10.0.0.1', listed)).rejects.toMatchObject({ kind: 'address' })
    knocks = 0
  })
})

describe('a name', () => {
  test('is refused when any of its addresses is internal', async () => {
    const outbound = openOutbound({ resolve: answers(['93.184.216.34', '10.0.0.1']) })
    await expect(outbound.requireAllowed('https://mixed.example', PUBLIC_ONLY)).rejects.toMatchObject({
      kind: 'address',
    })
    await outbound.close()
  })

  test('is looked at again for the connection, so that it cannot change in between', async () => {
    const outbound = openOutbound({ resolve: answers(['93.184.216.34'], ['127.0.0.1']) })
    const rebound = outbound.request({
      method: 'GET',
      url: `https://rebinding.example:${port}/`,
      addresses: PUBLIC_ONLY,
      ...DEADLINES,
    })
    await expect(rebound).rejects.toMatchObject({ kind: 'address' })
    expect(knocks).toBe(0)
    await outbound.close()
  })

  test('without an address cannot be connected to', async () => {
    const outbound = openOutbound({ resolve: (_name, _options, done) => done(new Error('ENOTFOUND'), []) })
    await expect(outbound.requireAllowed('https://nobody.example', PUBLIC_ONLY)).rejects.toMatchObject({
      kind: 'connect',
    })
    await outbound.close()
  })
})

describe('a proxy', () => {
  test('is asked for the address that was looked at, so that the name cannot mean another one to it', async () => {
    const { uri, asked } = await proxy()
    const outbound = openOutbound({ resolve: answers(['93.184.216.34'], ['127.0.0.1']) })
    const request = outbound.request({
      method: 'GET',
      url: 'https://rebinding.example/v1',
      addresses: PUBLIC_ONLY,
      proxy: uri,
      ...DEADLINES,
    })
    await expect(request).rejects.toMatchObject({ kind: 'connect' })
    expect(asked).toEqual(['CONNECT 93.184.216.34:443', 'TLS for rebinding.example'])
    await outbound.close()
  })

  test('is asked for an IPv4 address where there is one, as it tries no second', async () => {
    const { uri, asked } = await proxy()
    const outbound = openOutbound({ resolve: answers(['2606:2800:220:1::1', '93.184.216.34']) })
    await outbound
      .request({ method: 'GET', url: 'https://both.example:8443/', addresses: PUBLIC_ONLY, proxy: uri, ...DEADLINES })
      .catch(() => {})
    expect(asked[0]).toBe('CONNECT 93.184.216.34:8443')
    await outbound.close()
  })

  test('is asked for an IPv6 address otherwise', async () => {
    const { uri, asked } = await proxy()
    const outbound = openOutbound({ resolve: answers(['2606:2800:220:1::1']) })
    await outbound
      .request({ method: 'GET', url: 'https://six.example/', addresses: PUBLIC_ONLY, proxy: uri, ...DEADLINES })
      .catch(() => {})
    expect(asked).toEqual(['CONNECT [2606:2800:220:1::1]:443', 'TLS for six.example'])
    await outbound.close()
  })

  test('is asked for the address without TLS as well, and told the name', async () => {
    const { uri, asked } = await proxy()
    const outbound = openOutbound({ resolve: answers(['10.0.0.5']) })
    const addresses = { public_only: true, except: ['10.0.0.5'] } as const
    const { body } = await outbound.request({
      method: 'GET',
      url: 'http://listed.example:11434/v1?a=b',
      addresses,
      proxy: uri,
      ...DEADLINES,
    })
    expect(await body.text(10)).toBe('ok')
    expect(asked).toEqual(['GET http://10.0.0.5:11434/v1?a=b for listed.example:11434'])
    await outbound.close()
  })

  test('is not asked for what is not allowed', async () => {
    const { uri, asked } = await proxy()
    const outbound = openOutbound({ resolve: answers(['93.184.216.34', '10.0.0.1']) })
    const request = outbound.request({
      method: 'GET',
      url: 'https://mixed.example',
      addresses: PUBLIC_ONLY,
      proxy: uri,
      ...DEADLINES,
    })
    await expect(request).rejects.toMatchObject({ kind: 'address' })
    expect(asked).toEqual([])
    await outbound.close()
  })

  test('looks the name up itself where the administrator said the address', async () => {
    const { uri, asked } = await proxy()
    const outbound = openOutbound({ resolve: answers([]) })
    await outbound
      .request({ method: 'GET', url: 'https://inside.example/', addresses: 'any', proxy: uri, ...DEADLINES })
      .catch(() => {})
    expect(asked).toEqual(['CONNECT inside.example:443', 'TLS for inside.example'])
    await outbound.close()
  })
})

describe('an address', () => {
  test.each(['', 'x', '3fff::1', '5f00::1', '100::1', '2001:db8::1', '::ffff:10.0.0.1', '::10.0.0.1'])(
    '%j is not public',
    address => {
      expect(isPublic(address)).toBe(false)
    },
  )
  test.each(['93.184.216.34', '::ffff:93.184.216.34', '2606:2800:220:1::1'])('%j is public', address => {
    expect(isPublic(address)).toBe(true)
  })
})

/** A proxy for one test. It goes nowhere itself, and writes down where it is asked to go and whom TLS then asks for. */
async function proxy() {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} for ${request.headers.host}`)
    response.end('ok')
  })
    .on('connect', (request, socket: Socket) => {
      asked.push(`CONNECT ${request.url}`)
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const tls = new TLSSocket(socket, {
        isServer: true,
        SNICallback: (name, done) => {
          asked.push(`TLS for ${name}`)
          done(new Error('no certificate'))
        },
      })
      tls.on('error', () => socket.destroy())
    })
    .listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  return { uri: `http://127.0.0.1:${portOf(server)}`, asked }
}

function portOf(server: Server): number {
  // A listening TCP server has an address with a port.
  return (server.address() as AddressInfo).port
}

/** Answers a question about a name, each time with the next list, the last for ever. */
function answers(...lists: string[][]): Resolve {
  return (_name, _options, done) => {
    const list = lists.length > 1 ? lists.shift() : lists[0]
    done(
      null,
      (list ?? []).map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
}

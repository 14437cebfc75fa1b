import { readlinkSync, realpathSync } from 'node:fs'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { dirname, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { isTimeZone } from './rules.ts'

/** The usable value of a variable; null when there is none. */
type Reading = { text: string | null; warning: string | null }

/**
 * Variables that systems and shells also set for themselves. The portal starts whatever they contain and says what it
 * made of them; our own variables of the same settings are checked strictly.
 */
const SHARED: Record<string, (text: string) => Reading> = {
  TZ: timeZone,
  HOST: host,
}

export function readShared(name: string, text: string): Reading {
  return SHARED[name]?.(text) ?? { text, warning: null }
}

function timeZone(text: string): Reading {
  if (isTimeZone(text)) return { text, warning: null }
  const zone = zoneOfVariable(text)
  const is = `TZ is ${JSON.stringify(text)}`
  return zone === null
    ? {
        text: null,
        warning: `${is}, which names no time zone, and is ignored: UTC counts, unless portal.time_zone is set. Name one such as Asia/Shanghai.`,
      }
    : { text: zone, warning: `${is}, which is read as ${zone}. Name a zone such as Asia/Shanghai if another is meant.` }
}

/** A host name is never looked up: shells set it, and its address may be public. */
function host(text: string): Reading {
  if (text === 'localhost' || isOwnAddress(text)) return { text, warning: null }
  return {
    text: null,
    warning:
      `HOST is ${JSON.stringify(text)}, which is no address of this machine, and is ignored: http.host counts, 127.0.0.1 unless it is set.` +
      ' Write an address, such as 0.0.0.0 for all of them; COMMONS_HTTP_HOST is taken as it is.',
  }
}

function isOwnAddress(text: string): boolean {
  if (isIP(text) === 0) return false
  const address = ipaddr.process(text)
  if (['unspecified', 'loopback'].includes(address.range())) return true
  const own = Object.values(networkInterfaces()).flatMap(each => each ?? [])
  return own.some(
    each => ipaddr.process(each.address).toNormalizedString() === withoutZone(address.toNormalizedString()),
  )
}

/** A link-local address without its interface. */
const withoutZone = (address: string) => address.split('%', 1)[0]

const ZONES = '/usr/share/zoneinfo'
/** The zone's name in the path of a zone file, on any system. */
const IN_ZONES = /\/zoneinfo[^/]*\/(?:posix\/|right\/)?(.+)$/

/**
 * The zone for forms of TZ that systems accept and Node does not: a file, a link. null for others, an offset such as
 * UTC+8 among them.
 */
function zoneOfVariable(text: string): string | null {
  const given = text.trim().replace(/^:/, '')
  return isTimeZone(given) ? given : zoneOfFile(given)
}

function zoneOfFile(given: string): string | null {
  const [, zone = ''] = IN_ZONES.exec(linkedTo(resolve(ZONES, given))) ?? []
  return isTimeZone(zone) ? zone : null
}

/** The link exists even where the zone files are not installed. */
function linkedTo(path: string): string {
  for (const read of [realpathSync, readlinkSync]) {
    try {
      return resolve(dirname(path), read(path))
    } catch {
      // tries the next source
    }
  }
  return path
}

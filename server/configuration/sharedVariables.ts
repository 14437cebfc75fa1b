import { readlinkSync, realpathSync } from 'node:fs'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { dirname, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { isTimeZone } from './rules.ts'

/** The usable value of a variable; null when there is none. */
type Reading = { text: string | null; warning: string | null }

/**
 * Variables that systems and shells also set for themselves. The portal starts whatever they contain and says what it made of them; our
 * own variables of the same settings are checked strictly.
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
  const found = zoneOfVariable(text)
  const is = `TZ is ${JSON.stringify(text)}`
  return found === null
    ? {
        text: null,
        warning: `${is}, which names no time zone, and is ignored: UTC counts, unless portal.time_zone is set. Name one such as Asia/Shanghai.`,
      }
    : {
        text: found.zone,
        warning: `${is}, which is read as ${found.zone}${found.means === found.zone ? '' : ` (${found.means})`}. Name a zone such as Asia/Shanghai if another is meant.`,
      }
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

/** A POSIX TZ: name, hours west of Greenwich, and optionally the summer time's name and rules. */
const POSIX =
  /^([A-Za-z]{3,}|<[\w+-]{3,}>)([+-]?)(\d{1,2})(?::(\d{2}))?(?::\d{2})?([A-Za-z]{3,}|<[\w+-]{3,}>)?(?:[\d:+-]*)(?:,.*)?$/

/** Widely used zones with summer time whose POSIX name is no zone name. */
const WITH_SUMMER_TIME: Record<string, string> = {
  WET0WEST: 'WET',
  GMT0BST: 'Europe/London',
  'CET-1CEST': 'CET',
  'MET-1MEST': 'MET',
  'EET-2EEST': 'EET',
  NST3NDT: 'America/St_Johns',
  AST4ADT: 'America/Halifax',
  AKST9AKDT: 'America/Anchorage',
  'ACST-9ACDT': 'Australia/Adelaide',
  'AEST-10AEDT': 'Australia/Sydney',
  'NZST-12NZDT': 'Pacific/Auckland',
}

/** The zone for forms of TZ that systems accept and Node does not: a file, a link, an offset. null for others. */
function zoneOfVariable(text: string): { zone: string; means: string } | null {
  const given = text.trim().replace(/^:/, '')
  const named = isTimeZone(given) ? given : zoneOfFile(given)
  return named === null ? zoneOfOffset(given) : { zone: named, means: named }
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

function zoneOfOffset(given: string): { zone: string; means: string } | null {
  const [, name = '', sign = '', hours = '', minutes = '00', summer] = POSIX.exec(given) ?? []
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59) return null
  const west = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  const distance = `${hours.padStart(2, '0')}:${minutes}`
  const offset = `${west > 0 ? '-' : '+'}${distance}`
  if (summer === undefined) return { zone: fixedZone(west, offset), means: `UTC${offset}` }
  const withSummer = `${name}${sign === '-' ? '-' : ''}${Number(hours)}${summer}`
  const zone = isTimeZone(withSummer) ? withSummer : WITH_SUMMER_TIME[withSummer]
  return zone === undefined
    ? { zone: fixedZone(west, offset), means: `UTC${offset}, all year, since its summer time is not known here` }
    : { zone, means: zone }
}

/** A fixed offset as an Etc/GMT zone, whose sign is POSIX's. There are none for fractions of an hour. */
function fixedZone(west: number, offset: string): string {
  if (west === 0) return 'UTC'
  const zone = `Etc/GMT${west > 0 ? '+' : ''}${west / 60}`
  return isTimeZone(zone) ? zone : offset
}

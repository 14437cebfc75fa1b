/** Units of siunitx by their names; what is not here is shown by its name. */
const UNITS: Readonly<Record<string, string>> = {
  ...{
    meter: 'm',
    metre: 'm',
    gram: 'g',
    second: 's',
    ampere: 'A',
    kelvin: 'K',
    mole: 'mol',
    mol: 'mol',
    candela: 'cd',
  },
  ...{ hertz: 'Hz', newton: 'N', pascal: 'Pa', joule: 'J', watt: 'W', coulomb: 'C', volt: 'V', farad: 'F', tesla: 'T' },
  ...{ siemens: 'S', weber: 'Wb', henry: 'H', lumen: 'lm', lux: 'lx', becquerel: 'Bq', gray: 'Gy', sievert: 'Sv' },
  ...{ litre: 'L', liter: 'L', minute: 'min', hour: 'h', day: 'd', electronvolt: 'eV', bar: 'bar', tonne: 't' },
  ...{ decibel: 'dB', radian: 'rad', steradian: 'sr', byte: 'B', bit: 'bit', hectare: 'ha', dalton: 'Da' },
  ...{ celsius: '{}^{\\circ}C', degreeCelsius: '{}^{\\circ}C', degree: '{}^{\\circ}', ohm: '\\Omega', percent: '\\%' },
  ...{ angstrom: '\\text{Å}', arcminute: "'", arcsecond: "''", kg: 'kg', km: 'km', cm: 'cm', mm: 'mm', um: '\\mu m' },
  ...{ nm: 'nm', ms: 'ms', s: 's', Hz: 'Hz', kHz: 'kHz', MHz: 'MHz', GHz: 'GHz', kW: 'kW', eV: 'eV', K: 'K', mL: 'mL' },
}

const PREFIXES: Readonly<Record<string, string>> = {
  ...{
    yotta: 'Y',
    zetta: 'Z',
    exa: 'E',
    peta: 'P',
    tera: 'T',
    giga: 'G',
    mega: 'M',
    kilo: 'k',
    hecto: 'h',
    deca: 'da',
  },
  ...{ deci: 'd', centi: 'c', milli: 'm', micro: '\\mu ', nano: 'n', pico: 'p', femto: 'f', atto: 'a' },
}

const POWERS: Readonly<Record<string, string>> = { square: '2', cubic: '3', squared: '2', cubed: '3' }

/** A number of siunitx as TeX: `3e8`, `1.2 +- 0.1`, `2 x 3`. */
export function numberTex(written: string): string {
  return written
    .replaceAll(/([\d.,]*)\s*[eEdD]\s*([+-]?\d+)/g, (_, digits: string, power: string) =>
      digits === '' ? `10^{${power}}` : `${digits}\\times 10^{${power}}`,
    )
    .replaceAll(/\+-|\\pm(?![A-Za-z])/g, '\\pm ')
    .replaceAll(/(?<=\d\s*)x(?=\s*\d)/g, '\\times ')
}

/** A unit of siunitx as TeX: `\meter\per\second\squared`, `m/s^2`, `kg.m`. */
export function unitTex(written: string): string {
  let tex = ''
  let power = ''
  // Nothing stands between a prefix and its unit, or after a mark of division.
  let joined = true
  for (const [, name, given = ''] of written.matchAll(/\\([A-Za-z]+) *|([^\\]+)/g)) {
    if (name === undefined) {
      tex += given.replaceAll('.', '\\,').replaceAll('~', '\\,').replaceAll('%', '\\%')
      joined = true
    } else if (name === 'per') {
      ;[tex, joined] = [`${tex}/`, true]
    } else if (name === 'square' || name === 'cubic') power = `^{${POWERS[name]}}`
    else if (name in POWERS) tex += `^{${POWERS[name]}}`
    else if (name in PREFIXES) {
      ;[tex, joined] = [`${tex}${joined ? '' : '\\,'}${PREFIXES[name]}`, true]
    } else {
      tex += `${joined ? '' : '\\,'}${UNITS[name] ?? name}${power}`
      ;[power, joined] = ['', false]
    }
  }
  return `\\mathrm{${tex}}`
}

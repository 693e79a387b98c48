import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** Red, green and blue, as a browser's pictures have them. */
const DEPTH = 3
const MOST_COLOURS = 256
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The same picture in a third of the bytes: its 256 most frequent colours, the others (edges of letters) as the nearest of them. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png)
  const counts = new Map<number, number>()
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const palette = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_COLOURS)
    .map(([colour]) => colour)
  const indices = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]))

  const rows = Buffer.alloc((width + 1) * height)
  pixels.forEach((colour, at) => {
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = indices.get(colour) ?? 0
  })
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // eight bits an index, into a palette
  head.set([8, 3], 8)
  const colours = Buffer.from(palette.flatMap((colour) => channels(colour)))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const channels = (colour: number): readonly [number, number, number] => [
  colour >> 16,
  (colour >> 8) & 255,
  colour & 255,
]

function nearest(palette: readonly number[], colour: number): number {
  const [r, g, b] = channels(colour)
  const distances = palette.map((one) => {
    const [r2, g2, b2] = channels(one)
    return (r - r2) ** 2 + (g - g2) ** 2 + (b - b2) ** 2
  })
  return distances.indexOf(Math.min(...distances))
}

function chunk(name: string, data: Buffer): Buffer {
  const [length, named, sum] = [Buffer.alloc(4), Buffer.concat([Buffer.from(name), data]), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

function decode(png: Buffer): {
  readonly width: number
  readonly height: number
  readonly pixels: Uint32Array
} {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  if (png[24] !== 8 || png[25] !== 2) throw new Error('not a picture of three bytes a pixel')
  const data: Buffer[] = []
  for (let at = SIGNATURE.length; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const bytes = unfilter(inflateSync(Buffer.concat(data)), width * DEPTH, height)
  const pixels = new Uint32Array(width * height).map((_, at) => bytes.readUIntBE(at * DEPTH, DEPTH))
  return { width, height, pixels }
}

/** Each line of a PNG is written as the difference to what is left of it, above, or between. */
function unfilter(raw: Buffer, stride: number, height: number): Buffer {
  const out = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)]
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x
      const left = x < DEPTH ? 0 : (out[at - DEPTH] ?? 0)
      const above = y === 0 ? 0 : (out[at - stride] ?? 0)
      const corner = x < DEPTH || y === 0 ? 0 : (out[at - stride - DEPTH] ?? 0)
      const guesses = [0, left, above, (left + above) >> 1, paeth(left, above, corner)]
      out[at] = (raw[y * (stride + 1) + 1 + x] ?? 0) + (guesses[filter ?? 0] ?? 0)
    }
  }
  return out
}

function paeth(left: number, above: number, corner: number): number {
  const [a, b, c] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)]
  if (a <= b && a <= c) return left
  return b <= c ? above : corner
}

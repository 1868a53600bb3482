import zlib from 'node:zlib'

/** The first bytes of what zstd has compressed, as a number. */
export const zstdSignature = 0xfd2fb528

interface ZstdOptions {
  readonly maxOutputLength: number
}

/** Unpacks zstd, or returns why that is not possible. Node has it since 22.15. */
export function unpackZstd(bytes: Uint8Array, maximumBytes: number): Buffer | string {
  const unpack = findUnpacker(zlib)
  if (unpack === null)
    return `it is compressed with zstd, which Node ${process.versions.node} does not unpack: take Node 22.15 or later, or unpack it (zstd -d), or write it with gzip or snappy`
  try {
    return unpack(bytes, { maxOutputLength: maximumBytes })
  } catch {
    return 'it is not a complete zstd file'
  }
}

type Unpack = (bytes: Uint8Array, options: ZstdOptions) => Buffer

function findUnpacker(from: object): Unpack | null {
  return hasZstd(from) ? (bytes, options) => from.zstdDecompressSync(bytes, options) : null
}

const hasZstd = (from: object): from is { readonly zstdDecompressSync: Unpack } =>
  'zstdDecompressSync' in from && typeof from.zstdDecompressSync === 'function'

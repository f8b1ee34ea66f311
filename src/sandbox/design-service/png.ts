import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BYTES_PER_PIXEL = 3;
const STRIPE_SHARE = 8;

/** A PNG of diagonal stripes in two colours that depend on `name` alone. Sizes in pixels. */
export function stripedPng(name: string, width: number, height: number): Buffer {
  const [r1 = 0, g1 = 0, b1 = 0, r2 = 0, g2 = 0, b2 = 0] = createHash('sha256')
    .update(name)
    .digest();
  const stripe = Math.max(1, Math.floor(width / STRIPE_SHARE));
  // Each row begins with its filter type, 0: none.
  const rowBytes = 1 + width * BYTES_PER_PIXEL;
  const rows = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const first = Math.floor((x + y) / stripe) % 2 === 0;
      rows.set(first ? [r1, g1, b1] : [r2, g2, b2], y * rowBytes + 1 + x * BYTES_PER_PIXEL);
    }
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header(width, height)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function header(width: number, height: number): Buffer {
  // Then: 8 bits a sample, colour type 2 (RGB), and the only compression, filter and interlacing.
  const bytes = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  bytes.writeUInt32BE(width, 0);
  bytes.writeUInt32BE(height, 4);
  return bytes;
}

function chunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(typeAndData));
  return Buffer.concat([length, typeAndData, checksum]);
}

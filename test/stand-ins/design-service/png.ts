import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BYTES_PER_PIXEL = 3;

type Color = [red: number, green: number, blue: number];

/** A landscape, a sun over two hills, whose colors and lines depend only on `name`. Sizes in pixels. */
export function landscapePng(name: string, width: number, height: number): Buffer {
  const [hue = 0, turn = 0, sunAt = 0, wave = 0] = createHash('sha256').update(name).digest();
  const sky = colorOf(hue / 255, 0.55, 0.86);
  const low = colorOf(hue / 255 + 0.09, 0.75, 0.66);
  const sun = colorOf(0.12, 0.95, 0.72);
  const back = colorOf(hue / 255 + 0.35 + turn / 1_000, 0.35, 0.5);
  const front = colorOf(hue / 255 + 0.35 + turn / 1_000, 0.45, 0.34);
  const sunX = 0.25 + (sunAt / 255) * 0.5;
  const phase = (wave / 255) * Math.PI * 2;

  // Each row starts with its filter type, 0: none.
  const rowBytes = 1 + width * BYTES_PER_PIXEL;
  const rows = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const down = y / height;
    const air = mixed(sky, low, down);
    for (let x = 0; x < width; x += 1) {
      const across = x / width;
      const isFront = down > 0.8 + 0.07 * Math.sin(across * 7 + phase);
      const isBack = down > 0.64 + 0.1 * Math.sin(across * 4 + phase * 2);
      const isSun = Math.hypot((across - sunX) * width, (down - 0.4) * height) < height * 0.17;
      const color = isFront ? front : isBack ? back : isSun ? sun : air;
      rows.set(color, y * rowBytes + 1 + x * BYTES_PER_PIXEL);
    }
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header(width, height)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** From hue (any turn of the wheel), saturation and lightness (0 to 1). */
function colorOf(hue: number, saturation: number, lightness: number): Color {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const at = (offset + hue * 12) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

const mixed = (one: Color, other: Color, share: number): Color => {
  const between = (from: number, to: number) => Math.round(from + (to - from) * share);
  return [between(one[0], other[0]), between(one[1], other[1]), between(one[2], other[2])];
};

function header(width: number, height: number): Buffer {
  // Then: 8 bits per sample, color type 2 (RGB), and the only compression, filter, and interlacing.
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

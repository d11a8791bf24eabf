// Reads QR codes on pages as a phone's camera would.
import assert from 'node:assert/strict';
import { scanImageData } from '@undecaf/zbar-wasm';
import jsQR from 'jsqr';
import type { Locator } from 'playwright-core';

/** Returns the text of a QR code on a page, on which two independent decoders must agree. */
export async function readCode(code: Locator): Promise<string> {
  await code.waitFor();
  const png = (await code.screenshot()).toString('base64');
  // The brightness of each pixel, as text: a list of numbers would take long to transfer.
  const { grey, width, height } = await code.page().evaluate(async (picture) => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext('2d')!;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const pixels = Array.from({ length: width * height }, (_, n) => String.fromCharCode(data[4 * n]!));
    return { grey: pixels.join(''), width, height };
  }, png);
  const pixels = Uint8ClampedArray.from(
    [...grey].flatMap((sign) => [...Array(3).fill(sign.charCodeAt(0)), 255]),
  );
  const one = Buffer.from(jsQR.default(pixels, width, height)!.binaryData).toString('utf8');
  const [other] = await scanImageData({ data: pixels, width, height, colorSpace: 'srgb' } as ImageData);
  assert.equal(one, other!.decode('utf-8'));
  return one;
}

import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto';

// Digests are of one length, which the comparison needs.
const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares with a secret, in a time that tells nothing about it. */
export function secret(text: string): (given: string) => boolean {
  const expected = digest(text);
  return (given) => timingSafeEqual(digest(given), expected);
}

/** Encrypts what is kept; a sealed text opens only for the purpose for which it was sealed. */
export type Sealer = {
  seal(text: string, purpose: string): string;
  open(sealed: string, purpose: string): string;
};

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM under a key made of the service's secret, which is long and random itself. */
export function sealer(secretKey: string): Sealer {
  const key = digest(`trousseau seals ${secretKey}`);
  return {
    seal(text, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return sealed.toString('base64url');
    },

    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, 'base64url');
      const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, cipher.final()]).toString();
    },
  };
}

/** Seals by the first, and opens what any of them has sealed. */
export function sealerOf(sealers: Sealer[]): Sealer {
  const [first, ...former] = sealers as [Sealer, ...Sealer[]];
  return {
    seal: first.seal,
    open(sealed, purpose) {
      try {
        return first.open(sealed, purpose);
      } catch (error) {
        if (former.length === 0) throw error;
        return sealerOf(former).open(sealed, purpose);
      }
    },
  };
}

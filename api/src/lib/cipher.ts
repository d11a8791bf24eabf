import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto';

// Digests are of one length, which the comparison needs.
const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares with a secret in constant time. */
export function equalsSecret(secret: string): (given: string) => boolean {
  const expected = digest(secret);
  return (given) => timingSafeEqual(digest(given), expected);
}

/** Encrypts what is kept; it can be decrypted only for the purpose for which it was encrypted. */
export type Cipher = {
  encrypt(text: string, purpose: string): string;
  decrypt(encrypted: string, purpose: string): string;
};

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM under a key made of the service's secret, which is long and random itself. `former` only decrypts. */
export function cipherOf(secretKey: string, former?: Cipher): Cipher {
  // Another text would make another key, which opens nothing in existing stores.
  const key = digest(`trousseau seals ${secretKey}`);
  return {
    encrypt(text, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
      const bytes = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat(bytes).toString('base64url');
    },

    decrypt(encrypted, purpose) {
      const bytes = Buffer.from(encrypted, 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
          .setAAD(Buffer.from(purpose))
          .setAuthTag(bytes.subarray(-TAG_BYTES));
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString();
      } catch (error) {
        if (!former) throw error;
        return former.decrypt(encrypted, purpose);
      }
    },
  };
}

import { generateKeyPairSync, sign } from 'node:crypto';

const ECDSA_WITH_SHA256 = '06082a8648ce3d040302';
const COMMON_NAME = '0603550403';
const SUBJECT_ALT_NAME = '0603551d11';
const BASIC_CONSTRAINTS = '0603551d13';
const LOOPBACK = '7f000001';

/** A key and a self-signed certificate for 127.0.0.1, built from DER by hand (RFC 5280), as PEM. */
export function selfSignedCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(ECDSA_WITH_SHA256);
  const name = sequence(tlv('31', sequence(COMMON_NAME, tlv('0c', text('127.0.0.1')))));
  const addresses = sequence(tlv('87', LOOPBACK));
  const extensions = sequence(
    sequence(SUBJECT_ALT_NAME, tlv('04', addresses)),
    sequence(BASIC_CONSTRAINTS, tlv('01', 'ff'), tlv('04', sequence(tlv('01', 'ff')))),
  );
  const certificateBody = sequence(
    tlv('a0', tlv('02', '02')),
    tlv('02', '01'),
    algorithm,
    name,
    sequence(tlv('17', text('200101000000Z')), tlv('17', text('491231235959Z'))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }).toString('hex'),
    tlv('a3', extensions),
  );
  const signature = sign('sha256', Buffer.from(certificateBody, 'hex'), privateKey).toString('hex');
  const certificate = sequence(certificateBody, algorithm, tlv('03', `00${signature}`));
  const base64 = Buffer.from(certificate, 'hex').toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`,
  };
}

/** Tag, length, value; all in hexadecimal. */
function tlv(tag: string, value: string): string {
  const length = value.length / 2;
  const short = length.toString(16).padStart(2, '0');
  if (length < 0x80) return tag + short + value;
  return length < 0x100
    ? `${tag}81${short}${value}`
    : `${tag}82${length.toString(16).padStart(4, '0')}${value}`;
}

function sequence(...parts: string[]): string {
  return tlv('30', parts.join(''));
}

function text(value: string): string {
  return Buffer.from(value).toString('hex');
}

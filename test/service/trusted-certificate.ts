import tls from 'node:tls';
import { selfSignedCertificate } from './self-signed-certificate.ts';

/** One for all tests of a process: of two with the same name, OpenSSL would use the first for both. */
export const TRUSTED = selfSignedCertificate();
tls.setDefaultCACertificates([...tls.getCACertificates('default'), TRUSTED.cert]);

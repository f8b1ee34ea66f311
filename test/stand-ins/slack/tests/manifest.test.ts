import { describe, expect, it } from 'vitest';
import { readManifest } from '../manifest.ts';
import { manifest } from './manifest.ts';

function withDomains(unfurl_domains: string[]) {
  const whole = Object(manifest());
  return readManifest({ ...whole, features: { ...whole.features, unfurl_domains } });
}

describe('a manifest', () => {
  it.each([
    '*.example.com',
    '[::1]',
    '127.0.0.1',
    'localhost',
    'my_app.example.com',
    '.example.com',
  ])('with the unfurl domain %s is refused', (domain) => {
    expect(() => withDomains([domain])).toThrow('unfurl_domains');
  });

  it('has at most five unfurl domains', () => {
    const domains = Array.from({ length: 6 }, (_, index) => `app${index}.example.com`);
    expect(withDomains(domains.slice(1)).unfurlDomains).toHaveLength(5);
    expect(() => withDomains(domains)).toThrow('unfurl_domains');
  });
});

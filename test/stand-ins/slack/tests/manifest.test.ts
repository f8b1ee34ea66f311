import { describe, expect, it } from 'vitest';
import { readManifest } from '../manifest.ts';

describe('a manifest', () => {
  it.each([
    '*.example.com',
    '[::1]',
    '127.0.0.1',
    'localhost',
    'my_app.example.com',
    '.example.com',
  ])('with the unfurl domain %s is refused', (domain) => {
    expect(() => readManifest({ features: { unfurl_domains: [domain] } })).toThrow(
      'unfurl_domains',
    );
  });

  it('has at most five unfurl domains', () => {
    const withDomains = (count: number) => ({
      features: {
        unfurl_domains: Array.from({ length: count }, (_, index) => `app${index}.example.com`),
      },
    });
    expect(readManifest(withDomains(5)).unfurlDomains).toHaveLength(5);
    expect(() => readManifest(withDomains(6))).toThrow('unfurl_domains');
  });
});

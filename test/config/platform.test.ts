import { describe, expect, it } from 'vitest';
import { parseManifestSettings } from '../../src/config/manifest-settings.ts';

const CARD_URL_TEMPLATE = 'https://app.example.com/card/{id}';
const addressWith = (env: Record<string, string>) =>
  parseManifestSettings(
    { CARD_URL_TEMPLATE, ...env },
    { socket: true, many: false, workflowStep: false },
  ).publicUrl;

describe('the public address', () => {
  it.each([
    [{ RENDER_EXTERNAL_URL: 'https://app.onrender.com' }, 'https://app.onrender.com'],
    [{ RAILWAY_PUBLIC_DOMAIN: 'app.up.railway.app' }, 'https://app.up.railway.app'],
    [{ FLY_APP_NAME: 'app' }, 'https://app.fly.dev'],
    [{ HEROKU_APP_DEFAULT_DOMAIN_NAME: 'app-1.herokuapp.com' }, 'https://app-1.herokuapp.com'],
    [{ WEBSITE_HOSTNAME: 'app.azurewebsites.net' }, 'https://app.azurewebsites.net'],
  ])('is read from %o', (env, address) => {
    expect(addressWith(env)).toBe(address);
  });

  it('is the one in PUBLIC_URL if both are there, and missing if neither is', () => {
    const env = { FLY_APP_NAME: 'app', PUBLIC_URL: 'https://requests.example.org' };
    expect(addressWith(env)).toBe('https://requests.example.org');
    expect(addressWith({ FLY_APP_NAME: ' ' })).toBeUndefined();
  });
});

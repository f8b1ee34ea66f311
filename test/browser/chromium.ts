import { execFileSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

/**
 * Names under which Chromium may be installed; CHROMIUM names another. The headless shell draws pages alone, and the
 * browser tests take three quarters of the time with it.
 */
const NAMES = 'chromium-headless-shell chromium chromium-browser google-chrome';
const FIND = `for name in "$CHROMIUM" ${NAMES}; do command -v "$name" && exit; done; true`;
const ROOT = 0;

/** Starts this machine's Chromium. Throws with an explanation if there is none. */
export async function startChromium(): Promise<Browser> {
  const executablePath = execFileSync('sh', ['-c', FIND], { encoding: 'utf8' }).trim();
  if (!executablePath) {
    throw new Error(
      'No Chromium is found. Install one (Debian: apt-get install chromium-headless-shell), or name it in CHROMIUM.',
    );
  }
  // Chromium's own sandbox refuses to run as root, which CI uses.
  const args = process.getuid?.() === ROOT ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}

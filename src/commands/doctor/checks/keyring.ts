import { OperatorError } from '../../../ops/operator-error.ts';
import { pendingMigrations } from '../../../store/database.ts';
import { requireKeys } from '../../../store/encryption/keyring.ts';
import { createStores } from '../../../store/stores.ts';
import { type Check, failed, passed, skipped, warning } from '../check.ts';

export const keyring: Check = {
  name: 'keyring',
  category: 'database',
  about: 'ENCRYPTION_KEYS has every key with which something is encrypted.',
  needs: 'settings',
  async run({ config, database }) {
    const db = await database().catch(() => undefined);
    const pending = db && (await pendingMigrations(db).catch(() => undefined));
    if (!db || pending?.length !== 0) return skipped("the database isn't there or isn't migrated");
    try {
      const { keyring: stored } = createStores(db, config.encryptionKeys);
      const lost = await requireKeys(stored, config.lostKeyIds);
      if (lost === 0) return passed('complete');
      return warning(
        `${lost} API keys or tokens are encrypted with a key that is marked as lost.`,
        'Their workspaces have to connect or install again.',
      );
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      const [problem = '', ...others] = error.message.split('\n\n');
      return failed(
        `${problem} ${others[0]?.trim() ?? ''}.`,
        others.slice(1).join(' ') || 'See docs/operations.md.',
      );
    }
  },
};

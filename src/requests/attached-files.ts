import type { RequestForm } from './request.ts';

/** A file in Slack; the name is as it was when it was attached. */
export type AttachedFile = { id: string; name: string };

/** What a file is for, named as in the form. */
export const FILE_ROLES = ['referenceFiles', 'additionalFiles', 'textCopyFiles'] as const;
export type FileRole = (typeof FILE_ROLES)[number];

/** All files of a request, of every role. */
export const filesOf = (form: RequestForm): AttachedFile[] =>
  FILE_ROLES.flatMap((role) => form[role] ?? []);

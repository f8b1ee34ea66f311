import type { FileProblem } from '../request-form/slack-files.ts';

// Files that people attach to a request.

const BYTES_PER_MB = 1_000_000;

const inMb = (bytes: number) => `${Math.floor(bytes / BYTES_PER_MB)} MB`;

export function wordsForFile(problem: FileProblem, name: string, maxBytes: number): string {
  switch (problem) {
    case 'uploading':
      return `“${name}” is still uploading. Wait until Slack has finished, then send again.`;
    case 'deleted':
      return `“${name}” was deleted in Slack. Remove it here, or attach it again.`;
    case 'forbidden':
      return `This app can’t open “${name}”. Remove it, and attach a copy from your device.`;
    case 'external':
      return `“${name}” isn’t stored in Slack. Remove it, and add a link to it instead.`;
    case 'page':
      return `“${name}” is a page in Slack, not a file. Remove it, and add a link to it instead.`;
    case 'too_large':
      return `“${name}” is larger than ${inMb(maxBytes)}. Remove it, and add a link to it instead.`;
  }
}

/** If the service downloads a file too late; `request` is its linked title and its reference. */
export const wordsForLostFile = (about: {
  isDeleted: boolean;
  name: string;
  request: string;
}): string => {
  const why = about.isDeleted ? 'it was deleted in Slack' : 'this app can’t open it any more';
  return `Your design service couldn’t get the file “${about.name}” of ${about.request}: ${why}. Add it to the card in your dashboard.`;
};

export const FILE_FIELDS = {
  referenceFiles: { label: 'Reference files', hint: 'Examples that show the direction.' },
  referenceFilesNote: {
    label: 'What you like about them',
    placeholder: 'The colors of the first one, the calm of the second',
  },
  additionalFiles: {
    label: 'Files to use',
    hint: 'Logos, photos, and other material for the design.',
  },
  additionalFilesNote: {
    label: 'What to do with them',
    placeholder: 'Put the logo at the top left',
  },
  textCopyFiles: { label: 'Files with wording', hint: 'Documents with the exact text.' },
} as const;

export const FILES = {
  /** Above the files of a form that is shown again. */
  attached: (label: string) => `${label}: already attached`,
  attachedHint: 'Uncheck a file to remove it.',
  tooMany: (most: number) => `Attach at most ${most} files here.`,
  linksOnly: 'Files can’t be attached here. Add links instead.',
  noLongerPassedOn:
    'This app can’t pass on files at the moment. Remove them, and add links instead.',
};

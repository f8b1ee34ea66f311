import { z } from 'zod';
import type { Answers } from './answers.ts';
import { productsOf, type ReferenceLists } from './resources.ts';

const text = z.string({
  error: ({ input }) => (input === undefined ? 'is required' : 'must be a string'),
});
const required = text.refine((value) => value.trim() !== '', 'must not be blank');

const shapeOf = (element: unknown) => {
  if (typeof element === 'string') return 'url';
  return typeof Object(element).url === 'string' ? 'object' : 'unknown';
};

/** What the service takes as the body of `POST /card` (api.md 4.1): no other fields. */
function newCard({ referenceLists, partnerName, answers }: ValidationContext) {
  const known = productsOf(partnerName);
  const { fileElement } = answers;
  const files = z
    .array(z.unknown(), { error: 'must be an array' })
    .refine(
      (all) => fileElement === 'any' || all.every((one) => shapeOf(one) === fileElement),
      `must consist of ${fileElement}`,
    )
    .optional();
  const typeOf = (id: unknown) => referenceLists.requestTypes.find((type) => type.id === id);
  const isBrand = (id: string) => referenceLists.brands.some((brand) => brand.id === id);
  const data = z
    .strictObject({
      title: required,
      description: required,
      typeId: required.refine(typeOf, 'is not the id of a request type'),
      product: required.refine(
        (name) => known.includes(name) || name.trim() === '',
        `must be one of: ${known.join(', ')}`,
      ),
      dimension: required,
      software: required,
      fileFormats: required,
      textCopy: text.optional(),
      brandId: text.refine(isBrand, 'is not the id of a brand').optional(),
      additionalFilesNote: text.optional(),
      referenceFilesNote: text.optional(),
      textCopyFiles: files,
      additionalFiles: files,
      referenceFiles: files,
      isDraft: z.boolean({ error: 'must be true or false' }).optional(),
    })
    .superRefine(({ typeId, product }, { addIssue }) => {
      const offered = typeOf(typeId)?.products ?? [];
      if (offered.length === 0 || offered.includes(product)) return;
      const message = `must be one of this type's: ${offered.join(', ')}`;
      addIssue({ code: 'custom', path: ['product'], message });
    });
  return z.strictObject({ data });
}

type ValidationContext = {
  referenceLists: ReferenceLists;
  partnerName: string;
  answers: Pick<Answers, 'fileElement'>;
};

/** Validates a parsed `POST /card` body; `details` names each invalid field. */
export function validateNewCard(body: unknown, context: ValidationContext) {
  const { data, error } = newCard(context).safeParse(body);
  if (data) return { ok: true as const, card: data.data, sent: Object(body).data };
  const details = error.issues.flatMap((issue): [unknown, string][] => {
    const [inside, name] = issue.path;
    if (inside === undefined) return [];
    if (issue.code !== 'unrecognized_keys') return [[name, `${String(name)} ${issue.message}`]];
    return issue.keys.map((key) => [key, `${key} is not a field of a card`]);
  });
  const named = details.filter(([name]) => name !== undefined);
  if (named.length === 0) {
    const message = 'The body must be an object with the single key "data".';
    return { ok: false as const, message };
  }
  // The first problem of each field.
  const first = Object.fromEntries(named.toReversed());
  return { ok: false as const, message: 'Some fields are not valid.', details: first };
}

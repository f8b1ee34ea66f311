import { type ESTree, parseSync, Visitor } from 'vite';

export type Pattern = { line: number; source: string; flags: string };

/**
 * Every regular expression in a TypeScript file: literals, and calls of `RegExp` with strings or string
 * constants of that file.
 *
 * @throws Error for any other call of `RegExp`, since its pattern isn't known before it runs
 */
export function patternsIn(file: string, code: string): Pattern[] {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file} can't be parsed: ${errors[0]?.message}`);
  const literals: ESTree.RegExpLiteral[] = [];
  const calls: (ESTree.NewExpression | ESTree.CallExpression)[] = [];
  const constants = new Map<string, ESTree.Node>();
  const keepCall = (node: ESTree.NewExpression | ESTree.CallExpression) => {
    if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp') calls.push(node);
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node) literals.push(node);
    },
    NewExpression: keepCall,
    CallExpression: keepCall,
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init) constants.set(id.name, init);
    },
  }).visit(program);

  const lineOf = ({ start }: ESTree.Node) => code.slice(0, start).split('\n').length;
  return [
    ...literals.map((node) => ({
      line: lineOf(node),
      source: node.regex.pattern,
      flags: node.regex.flags,
    })),
    ...calls.map((node) => {
      const [source, flags] = node.arguments.map((part) => textOf(part, constants));
      if (source === undefined || flags === undefined) {
        throw new Error(`${file}:${lineOf(node)}: RegExp of something that isn’t a constant`);
      }
      return { line: lineOf(node), source, flags };
    }),
  ];
}

/** The text of a string constant; undefined if it depends on something else. */
function textOf(node: ESTree.Node, constants: Map<string, ESTree.Node>): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'Identifier') {
    const constant = constants.get(node.name);
    return constant && textOf(constant, constants);
  }
  if (node.type !== 'TemplateLiteral') return undefined;
  const inserted = node.expressions.map((part) => textOf(part, constants));
  if (inserted.includes(undefined)) return undefined;
  return node.quasis.map(({ value }, index) => value.cooked + (inserted[index] ?? '')).join('');
}

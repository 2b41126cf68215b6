import ts from 'typescript';
import { messageNames } from './layers.ts';

export interface Import {
  readonly to: string;
  readonly typeOnly: boolean;
  /** By `import()`: only when that line runs. */
  readonly late?: true;
}
export interface FileFacts {
  readonly imports: readonly Import[];
  /** `/// <reference types="…" />` */
  readonly typeReferences: readonly string[];
  /** Uses of Electron's message functions, as written in the table. */
  readonly messages: readonly string[];
}

const allTypes = (clause: ts.ImportClause | ts.ExportDeclaration | undefined): boolean => {
  if (!clause) return false;
  if (ts.isExportDeclaration(clause) ? clause.isTypeOnly : clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  if (ts.isImportClause(clause) && clause.name) return false;
  const named = ts.isImportClause(clause) ? clause.namedBindings : clause.exportClause;
  if (!named || !(ts.isNamedImports(named) || ts.isNamedExports(named))) return false;
  return named.elements.length > 0 && named.elements.every((element) => element.isTypeOnly);
};

const importOf = (node: ts.Node): Import | undefined => {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return { to: node.moduleSpecifier.text, typeOnly: allTypes(node.importClause) };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    return { to: node.moduleSpecifier.text, typeOnly: allTypes(node) };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return { to: node.argument.literal.text, typeOnly: true };
  }
  if (ts.isExternalModuleReference(node) && ts.isStringLiteral(node.expression)) return { to: node.expression.text, typeOnly: false };
  if (ts.isCallExpression(node)) {
    const [first] = node.arguments;
    const callee = node.expression;
    const loads = callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require');
    if (loads && first && ts.isStringLiteralLike(first)) return { to: first.text, typeOnly: false, ...(callee.kind === ts.SyntaxKind.ImportKeyword ? { late: true } : {}) };
  }
  return undefined;
};

const messageOf = (node: ts.Node): string | undefined => {
  if (ts.isIdentifier(node)) return messageNames.find((name) => name === node.text);
  if (!ts.isPropertyAccessExpression(node) || node.name.text !== 'send') return undefined;
  const owner = node.expression;
  const name = ts.isIdentifier(owner) ? owner.text : ts.isPropertyAccessExpression(owner) ? owner.name.text : '';
  return messageNames.find((known) => known === `${name}.send`);
};

/** Reads real syntax: static, dynamic, type and `require` imports, and re-exports. */
export function readFacts(file: string, text: string): FileFacts {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  const messages = new Set<string>();
  const visit = (node: ts.Node): void => {
    const found = importOf(node);
    if (found) imports.push(found);
    const message = messageOf(node);
    if (message) messages.add(message);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { imports, typeReferences: source.typeReferenceDirectives.map((reference) => reference.fileName), messages: [...messages] };
}

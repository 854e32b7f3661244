// The part of node that the tests use.
declare const process: { argv: string[]; exit(code: number): never };

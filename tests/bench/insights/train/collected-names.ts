import type { FeatureNames, FeatureNode } from '../../../../src/insights/analyze/features.ts';

/** Names of features that grow with what is read, to train on. */
export class CollectedNames implements FeatureNames {
  /** By number. */
  readonly list: string[] = [];
  readonly rules: FeatureNode = new GrowingNode(this.list, 'r:');
  readonly words: FeatureNode = new GrowingNode(this.list, 'w:');
}

class GrowingNode implements FeatureNode {
  readonly #names: string[];
  readonly #name: string;
  readonly #children = new Map<string, GrowingNode>();
  #row = -1;

  constructor(names: string[], name: string) {
    this.#names = names;
    this.#name = name;
  }

  get row(): number {
    if (this.#row < 0) this.#row = this.#names.push(this.#name) - 1;
    return this.#row;
  }

  next(word: string): FeatureNode {
    let child = this.#children.get(word);
    if (!child) {
      const name = this.#name.endsWith(':') ? `${this.#name}${word}` : `${this.#name} ${word}`;
      this.#children.set(word, (child = new GrowingNode(this.#names, name)));
    }
    return child;
  }
}

import type { Content, Topics } from './store/topics.ts';

/** The newest content of topics, read once and shared by all deliveries of it. */
export class Contents {
  readonly #topics: Pick<Topics, 'newest'>;
  readonly #known = new Map<number, Content>();
  readonly #reads = new Map<number, Promise<Content>>();

  constructor(topics: Pick<Topics, 'newest'>) {
    this.#topics = topics;
  }

  /** @param version that the topic has; its content or a newer one is given */
  async take(topicId: number, version: number): Promise<Content> {
    let content = this.#known.get(topicId);
    // A read that began before the version came may give an older one.
    while (!content || content.version < version) {
      content = await (this.#reads.get(topicId) ?? this.#read(topicId));
    }
    return content;
  }

  /** Lets go of all; they are large. */
  forget(): void {
    this.#known.clear();
  }

  #read(topicId: number): Promise<Content> {
    const read = this.#topics
      .newest(topicId)
      .then((content) => {
        this.#known.set(topicId, content);
        return content;
      })
      .finally(() => this.#reads.delete(topicId));
    this.#reads.set(topicId, read);
    return read;
  }
}

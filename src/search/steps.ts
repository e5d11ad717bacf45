/** Work in steps of a few milliseconds, between which its caller can do other work. */
export type Steps<T> = Generator<void, T>;

/** Does all steps and returns the result. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

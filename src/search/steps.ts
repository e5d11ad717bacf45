/** Work in steps of a few milliseconds, between which its caller can do other work. */
export type Steps<T> = Generator<void, T>;

/** Does the steps that a result may still need. */
export function* stepsOf<T>(result: T | Steps<T>): Steps<T> {
  return isSteps(result) ? yield* result : result;
}

export function isSteps<T>(result: unknown): result is Steps<T> {
  return result instanceof Iterator;
}

/** Does all steps and returns the result. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

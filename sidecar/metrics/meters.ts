/** One value for each label name. */
export type Labels<Name extends string> = Readonly<Record<Name, string>>;

/**
 * What the service counts. A module asks once for the meters it needs and then uses them; names and
 * units are Prometheus' (https://prometheus.io/docs/practices/naming/), and the values of a label
 * are few and never a client's.
 */
export interface Meters {
  /** Adds one, or as many as given. */
  counter<Name extends string = never>(
    name: string,
    help: string,
    labels?: readonly Name[],
  ): (labels: Labels<Name>, by?: number) => void;
  /** Notes a duration in seconds. */
  durations<Name extends string>(
    name: string,
    help: string,
    labels: readonly Name[],
  ): (labels: Labels<Name>, seconds: number) => void;
  /** `read` is asked whenever the values are wanted. */
  gauge<Name extends string = never>(
    name: string,
    help: string,
    labels: readonly Name[],
    read: () => Iterable<readonly [Labels<Name>, number]>,
  ): void;
}

/** Where nobody looks, nothing is counted. */
export const NO_METERS: Meters = {
  counter: () => () => {},
  durations: () => () => {},
  gauge: () => {},
};

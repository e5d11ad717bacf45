/** One value for each label name. */
export type Labels<Name extends string> = Readonly<Record<Name, string>>;

/** Values of a gauge, by their labels. */
export type Readings<Name extends string> = Iterable<readonly [Labels<Name>, number]>;

/**
 * What the service counts. A module asks once for the meters it needs and then uses them; names and
 * units are Prometheus' (https://prometheus.io/docs/practices/naming/), and the values of a label
 * are few and never a client's.
 */
export interface Meters {
  /** Adds one, or as many as given. Two who ask for the same name count together. */
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
  /** `read` is asked whenever the values are wanted; all gauges at once. */
  gauge<Name extends string = never>(
    name: string,
    help: string,
    labels: readonly Name[],
    read: () => Readings<Name> | Promise<Readings<Name>>,
  ): void;
}

/** Where nobody looks, nothing is counted. */
export const NO_METERS: Meters = {
  counter: () => () => {},
  durations: () => () => {},
  gauge: () => {},
};

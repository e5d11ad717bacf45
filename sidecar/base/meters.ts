/** One value for each label name. */
type LabelValues<Name extends string> = Readonly<Record<Name, string>>;

/** Values of a gauge, by their labels. */
export type Samples<Name extends string> = Iterable<readonly [LabelValues<Name>, number]>;

/**
 * The metrics of the service. A module creates the meters it needs once and then uses them. Names
 * and units follow Prometheus (https://prometheus.io/docs/practices/naming/); label values are few
 * and never come from a client.
 */
export interface Meters {
  /** Adds one, or the given number. Counters of the same name count together. */
  counter<Name extends string = never>(
    name: string,
    help: string,
    labels?: readonly Name[],
  ): (labels: LabelValues<Name>, by?: number) => void;
  /** Records a duration in seconds. */
  durations<Name extends string>(
    name: string,
    help: string,
    labels: readonly Name[],
  ): (labels: LabelValues<Name>, seconds: number) => void;
  /** Calls `read` whenever metrics are collected, for all gauges at once. */
  gauge<Name extends string = never>(
    name: string,
    help: string,
    labels: readonly Name[],
    read: () => Samples<Name> | Promise<Samples<Name>>,
  ): void;
}

/** Meters that count nothing. */
export const NO_METERS: Meters = {
  counter: () => () => {},
  durations: () => () => {},
  gauge: () => {},
};

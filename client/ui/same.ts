/** Components that are drawn again only when a property of theirs has changed. */
import { type Component, type ComponentChild, createElement, type FunctionComponent } from "preact";

function alike(a: object, b: object): boolean {
  const [as, bs] = [Object.entries(a), b as Readonly<Record<string, unknown>>];
  return as.length === Object.keys(b).length && as.every(([key, value]) => value === bs[key]);
}

/** `draw` as a component that stays as it is while all its properties are the same values. */
export function same<P extends object>(draw: (props: P) => ComponentChild): FunctionComponent<P> {
  return function Same(this: unknown, props: P) {
    const self = this as Component<P>;
    self.shouldComponentUpdate = (next) => !alike(self.props, next);
    return createElement(draw as FunctionComponent<P>, props);
  };
}

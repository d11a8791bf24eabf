import type { VisiblePage } from './visible.ts';

export interface VisiblePrice {
  value: number;
  currencies: string[];
}

/** Returns the selling price next to the title; null if there is none, or more than one. */
export function visiblePrice({ amounts, titleEnd, buyAt, text }: VisiblePage): VisiblePrice | null {
  if (titleEnd < 0) return null;
  const button = buyAt.find((at) => at >= titleEnd);
  const end = Math.min(button === undefined ? titleEnd + 1500 : button + 400, text.length + 100);
  const near = amounts.filter(({ at, other, old }) => at >= titleEnd && at < end && !other && !old);
  const strong = near.filter((seen) => seen.strong);
  // Without an element named as a price, only an amount alone on its line between title and button counts.
  const candidates =
    strong.length > 0 ? strong : near.filter(({ at, alone }) => alone && button !== undefined && at < button);
  if (candidates.length === 0 && button !== undefined) {
    // Some shops put the price above the name.
    candidates.push(
      ...amounts.filter(
        ({ at, other, old, strong }) => strong && !other && !old && at < titleEnd && at > titleEnd - 300,
      ),
    );
  }
  const [first] = candidates;
  if (!first) return null;
  const beside = candidates.filter(({ at }) => at - first.at < 800);
  if (beside.some(({ value, open }) => open || Math.abs(value - first.value) > 0.004)) return null;
  const shared = first.currencies.filter((code) =>
    beside.every(({ currencies }) => currencies.includes(code)),
  );
  return shared.length > 0 ? { value: first.value, currencies: shared } : null;
}

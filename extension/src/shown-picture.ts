// The product's visible picture, for pages whose metadata names another one or none.
import { isProducts } from './place.ts';

/** The minimum width and height of a product's own picture on its page. */
const LEAST = 180;
/** The maximum distance of the picture from the heading. */
const NEAR = 900;

const fileOf = (address: string) =>
  URL.canParse(address) ? (new URL(address).pathname.split('/').pop() ?? '') : '';

/** Finds the picture that people see as the product's: the one that the page's metadata names if it is visible, or the largest. */
export function shownPicture(page: Document, named: string | null): HTMLImageElement | null {
  const heading = page.querySelector('h1')?.getBoundingClientRect();
  const pictures = [...page.images].filter((image) => {
    const { width, height, top } = image.getBoundingClientRect();
    const isNear = !heading || Math.abs(top - heading.top) < NEAR;
    return (
      width >= LEAST && height >= LEAST && isNear && /^https?:/.test(image.currentSrc) && isProducts(image)
    );
  });
  const same = named && pictures.find(({ currentSrc }) => fileOf(currentSrc) === fileOf(named));
  const area = ({ width, height }: HTMLImageElement) => width * height;
  return same || (pictures.sort((one, other) => area(other) - area(one))[0] ?? null);
}

import { setOf as names } from './word-table.ts';

// Pages about these describe them more often than they sell them.
export const MOSTLY_DESCRIBED = names('Book Vehicle Car Game VideoGame MusicAlbum Movie');

export const PRODUCTS = new Set([
  ...names('Product ProductGroup ProductModel IndividualProduct SomeProducts'),
  ...MOSTLY_DESCRIBED,
]);

const ARTICLES = names('BlogPosting LiveBlogPosting Report Recipe HowTo Review CriticReview');
export const isArticle = (type: string): boolean => type.endsWith('Article') || ARTICLES.has(type);

export const LISTS = names('ItemList CollectionPage SearchResultsPage OfferCatalog');

export const SHOPS = names('Organization WebSite OnlineStore Store OnlineBusiness Corporation LocalBusiness');

// Not followed in search of products: what these lead to is often only mentioned on the page.
export const TO_OTHERS = names(
  'isRelatedTo isSimilarTo isAccessoryOrSparePartFor isConsumableFor itemListElement review reviews ' +
    'itemReviewed hasVariant isVariantOf offers itemOffered mentions about hasPart seller brand publisher author associatedProduct ' +
    'relatedLink category',
);

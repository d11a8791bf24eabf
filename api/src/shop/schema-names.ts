import { setOf as names } from './word-table.ts';

// Pages about these describe them more often than they sell them.
export const DESCRIBED_TOO = names('Book Vehicle Car Game VideoGame MusicAlbum Movie');

export const PRODUCTS = new Set([
  ...names('Product ProductGroup ProductModel IndividualProduct SomeProducts'),
  ...DESCRIBED_TOO,
]);

const ARTICLES = names('BlogPosting LiveBlogPosting Report Recipe HowTo Review CriticReview');
export const isArticle = (type: string): boolean => type.endsWith('Article') || ARTICLES.has(type);

export const LISTS = names('ItemList CollectionPage SearchResultsPage OfferCatalog');

export const SHOPS = names('Organization WebSite OnlineStore Store OnlineBusiness Corporation LocalBusiness');

// Properties that lead from a thing to others.
export const TO_OTHERS = names(
  'isRelatedTo isSimilarTo isAccessoryOrSparePartFor isConsumableFor itemListElement review reviews ' +
    'itemReviewed hasVariant isVariantOf offers itemOffered mentions about hasPart seller brand publisher author associatedProduct ' +
    'relatedLink category',
);

// Sample gifts and registries, so that a site looks used.
export interface Wish {
  name: string;
  url: string;
  description?: string;
  retailer?: string;
  price?: number;
  /** Name of a drawing in the folder `pictures`. */
  picture?: string;
  quantity_needed?: number;
  quantity_purchased?: number;
}

export const wishes: Wish[] = [
  {
    name: 'Enamelled cast-iron cocotte',
    description: 'Forest green, 26 cm. For Sunday stews and the bread we keep promising to bake.',
    url: 'https://shop.example/cocotte',
    retailer: 'Maison Bérard',
    price: 289,
    picture: 'cocotte',
  },
  {
    name: 'Washed linen bedding',
    description: 'In any of these four colours. We like them mixed.',
    url: 'https://shop.example/linen',
    retailer: 'Linnéa',
    price: 129.5,
    picture: 'linen',
    quantity_needed: 3,
    quantity_purchased: 1,
  },
  {
    name: 'Hand-blown wine glasses',
    description: 'One is a present. Twelve are a party.',
    url: 'https://shop.example/glasses',
    retailer: 'Glashütte Wolf',
    price: 24,
    picture: 'glasses',
    quantity_needed: 12,
    quantity_purchased: 8,
  },
  {
    name: 'Terracotta table lamp',
    description: 'For the reading corner under the stairs.',
    url: 'https://shop.example/lamp',
    retailer: 'Studio Lume',
    price: 98,
    picture: 'lamp',
  },
  {
    name: 'A picnic blanket, woven by someone you know',
    description: 'No shop has it: Jonas’s aunt Łucja will tell you more.',
    url: 'https://shop.example/blanket',
  },
  {
    name: 'Little olive tree',
    url: 'https://shop.example/olive',
    retailer: 'Gärtnerei Anders',
    price: 45,
    picture: 'olive',
  },
  {
    name: 'Stand mixer',
    description: 'Rose, because life is short.',
    url: 'https://shop.example/mixer',
    retailer: 'Maison Bérard',
    price: 449,
    picture: 'mixer',
    quantity_purchased: 1,
  },
  {
    name: 'Moka pot for six',
    url: 'https://shop.example/moka',
    retailer: 'Caffè Nerino',
    price: 38.9,
    picture: 'moka',
    quantity_purchased: 1,
  },
  {
    name: 'Wicker pram',
    description: 'No hurry. But one day.',
    url: 'https://shop.example/pram',
    retailer: 'Kinderwagen Sommer',
    price: 520,
    picture: 'pram',
  },
];

export interface List {
  title: string;
  status: 'publish' | 'private';
  type: string;
  date: string;
  /** Paragraphs. */
  story: string[];
}

export const registries: List[] = [
  {
    title: 'A nursery for Ida',
    status: 'publish',
    type: 'Baby',
    date: '2027-03-06',
    story: [
      'She is due with the first crocuses. We have a cot, a name and no idea: anything on this list helps.',
    ],
  },
  {
    title: 'The house on Tanner’s Lane',
    status: 'publish',
    type: 'New home',
    date: '2027-09-18',
    story: ['Four rooms, one kettle. Come and see it in September; the garden already has chairs.'],
  },
  {
    title: 'Grandma Ruth turns eighty',
    status: 'publish',
    type: 'Birthday',
    date: '2027-01-23',
    story: ['She says she needs nothing. We asked her sister.'],
  },
  {
    title: 'Sofía & Mateo',
    status: 'publish',
    type: 'Wedding',
    date: '2027-05-01',
    story: ['A civil ceremony, a long lunch and dancing until the neighbours join in.'],
  },
  {
    title: 'Two cradles, please',
    status: 'publish',
    type: 'Twins',
    date: '2027-04-10',
    story: ['The doctor counted twice. So did we.'],
  },
  {
    title: 'For Noor’s first studio',
    status: 'private',
    type: 'Graduation',
    date: '2027-07-02',
    story: ['Brushes, light and a table big enough.'],
  },
  {
    title: 'Amélie & Jonas',
    status: 'publish',
    type: 'Wedding',
    date: '2027-06-12',
    story: [
      'We met over a broken coffee machine, and eight years later we are still arguing about how to make the first cup of the day.',
      'In June we marry in the garden in Montefiore, under the two cypresses, with everybody we love at one long table. You being there is all we wish for. Since some of you have asked: our kitchen is small, our plans are not, and these are things we would use every day and think of you.',
    ],
  },
];

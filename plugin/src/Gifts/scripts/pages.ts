import { card } from './card.ts';
import { fromShop } from './from-shop.ts';
import { linkField, links } from './links.ts';
import { looking } from './looking.ts';
import { reorder } from './reorder.ts';
import { backFromShop } from './shop.ts';

card();
fromShop();
reorder();
backFromShop();
linkField();
links();
looking();

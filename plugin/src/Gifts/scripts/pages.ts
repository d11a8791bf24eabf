import { bookmark } from './bookmark.ts';
import { fromShop } from './from-shop.ts';
import { looking } from './looking.ts';
import { reorder } from './reorder.ts';
import { backFromShop } from './shop.ts';

bookmark();
fromShop();
reorder();
backFromShop();
looking();

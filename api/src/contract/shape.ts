import type { TProperties } from 'typebox';
import { Type } from './typebox.ts';

/** A shape under its name: documented once, referred to everywhere. */
export const shape = <P extends TProperties>($id: string, properties: P) => Type.Object(properties, { $id });

/** The same, with a sentence for its readers. */
export const described = <P extends TProperties>($id: string, description: string, properties: P) =>
  Type.Object(properties, { $id, description });

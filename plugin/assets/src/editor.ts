// The blocks in the editor: the server renders them, a field names the registry. React and the components are WordPress's.

type Attributes = { registry?: string; count?: number; page?: string };
type Edit = (props: { attributes: Attributes; setAttributes(changes: Attributes): void }) => unknown;
type Component = (props: never) => unknown;

interface WordPressEditor {
  blocks: { registerBlockType(name: string, settings: { edit: Edit; save(): null }): void };
  blockEditor: { InspectorControls: Component; useBlockProps(): object };
  components: { Disabled: Component; PanelBody: Component; SelectControl: Component; TextControl: Component };
  data: { select(store: string): { getCurrentPostId?(): number | null } | undefined };
  element: { createElement(type: unknown, props?: object | null, ...children: unknown[]): unknown };
  serverSideRender: Component;
}

const { wp, trousseauEditor: words } = window as unknown as {
  wp: WordPressEditor;
  trousseauEditor: Record<'registry' | 'registryHelp' | 'count' | 'page' | 'pageHelp', string> & {
    /** Pages of owners and guests: name → title. */
    pages: Record<string, string>;
  };
};
const { blocks, blockEditor, components, data, element, serverSideRender } = wp;
const h = element.createElement;

function edit(name: string, field: ((props: Parameters<Edit>[0]) => unknown) | null): Edit {
  return (props) => {
    const post = data.select('core/editor')?.getCurrentPostId?.();
    const preview = h(serverSideRender, {
      block: name,
      attributes: props.attributes,
      urlQueryArgs: typeof post === 'number' ? { post_id: post } : {},
    });
    return h(
      'div',
      blockEditor.useBlockProps(),
      field && h(blockEditor.InspectorControls, null, h(components.PanelBody, null, field(props))),
      h(components.Disabled, null, preview),
    );
  };
}

const registryField = ({ attributes, setAttributes }: Parameters<Edit>[0]) =>
  h(components.TextControl, {
    label: words.registry,
    help: words.registryHelp,
    value: attributes.registry ?? '',
    onChange: (registry: string) => setAttributes({ registry }),
  });

const countField = ({ attributes, setAttributes }: Parameters<Edit>[0]) =>
  h(components.TextControl, {
    label: words.count,
    type: 'number',
    min: 1,
    max: 100,
    value: attributes.count ?? 20,
    onChange: (count: string) => setAttributes({ count: Number(count) || 20 }),
  });

const pageField = (props: Parameters<Edit>[0]) => [
  h(components.SelectControl, {
    key: 'page',
    label: words.page,
    value: props.attributes.page ?? 'new',
    options: Object.entries(words.pages).map(([value, label]) => ({ value, label })),
    onChange: (page: string) => props.setAttributes({ page }),
  }),
  h(components.TextControl, {
    key: 'registry',
    label: words.registry,
    help: words.pageHelp,
    value: props.attributes.registry ?? '',
    onChange: (registry: string) => props.setAttributes({ registry }),
  }),
];

// Everything else about the blocks is registered by the server.
blocks.registerBlockType('trousseau/registry', {
  edit: edit('trousseau/registry', registryField),
  save: () => null,
});
blocks.registerBlockType('trousseau/event', {
  edit: edit('trousseau/event', registryField),
  save: () => null,
});
blocks.registerBlockType('trousseau/page', {
  edit: edit('trousseau/page', pageField),
  save: () => null,
});
blocks.registerBlockType('trousseau/registries', {
  edit: edit('trousseau/registries', countField),
  save: () => null,
});

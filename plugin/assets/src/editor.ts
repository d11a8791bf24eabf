// The blocks in the editor: the server renders them, a field names the registry. React and the components are WordPress's.

type Attributes = { registry?: string; count?: number };
type Edit = (props: { attributes: Attributes; setAttributes(changes: Attributes): void }) => unknown;
type Component = (props: never) => unknown;

interface WordPressEditor {
  blocks: { registerBlockType(name: string, settings: { edit: Edit; save(): null }): void };
  blockEditor: { InspectorControls: Component; useBlockProps(): object };
  components: { Disabled: Component; PanelBody: Component; TextControl: Component };
  data: { select(store: string): { getCurrentPostId?(): number | null } | undefined };
  element: { createElement(type: unknown, props?: object | null, ...children: unknown[]): unknown };
  i18n: { __(text: string, domain: string): string };
  serverSideRender: Component;
}

const { blocks, blockEditor, components, data, element, i18n, serverSideRender } = (
  window as unknown as { wp: WordPressEditor }
).wp;
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
    label: i18n.__('Registry', 'trousseau'),
    help: i18n.__('Number or slug. Empty: the registry of the page.', 'trousseau'),
    value: attributes.registry ?? '',
    onChange: (registry: string) => setAttributes({ registry }),
  });

const countField = ({ attributes, setAttributes }: Parameters<Edit>[0]) =>
  h(components.TextControl, {
    label: i18n.__('How many at most', 'trousseau'),
    type: 'number',
    min: 1,
    max: 100,
    value: attributes.count ?? 20,
    onChange: (count: string) => setAttributes({ count: Number(count) || 20 }),
  });

// Everything else about the blocks is registered by the server.
blocks.registerBlockType('trousseau/registry', {
  edit: edit('trousseau/registry', registryField),
  save: () => null,
});
blocks.registerBlockType('trousseau/event', {
  edit: edit('trousseau/event', registryField),
  save: () => null,
});
blocks.registerBlockType('trousseau/registries', {
  edit: edit('trousseau/registries', countField),
  save: () => null,
});

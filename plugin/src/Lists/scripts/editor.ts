// The blocks in the editor: the server renders them, and people choose the registry by its name. React and the components are
// WordPress's.

type Attributes = { registry?: string; count?: number; page?: string; isExample?: boolean };
type Edit = (props: { attributes: Attributes; setAttributes(changes: Attributes): void }) => unknown;
type Component = (props: never) => unknown;

interface Registry {
  id: number;
  slug: string;
  title: { rendered: string };
}

interface WordPressEditor {
  apiFetch(request: { path: string }): Promise<Registry[]>;
  blocks: { registerBlockType(name: string, settings: { edit: Edit; save(): null }): void };
  blockEditor: { InspectorControls: Component; useBlockProps(): object };
  components: Record<
    'ComboboxControl' | 'Disabled' | 'PanelBody' | 'SelectControl' | 'TextControl',
    Component
  >;
  data: {
    select(
      store: string,
    ): { getCurrentPostId?(): number | null; getCurrentPostType?(): string | null } | undefined;
  };
  element: {
    RawHTML: Component;
    createElement(type: unknown, props?: object | null, ...children: unknown[]): unknown;
    useEffect(effect: () => () => void, dependencies: unknown[]): void;
    useState<T>(initial: T): [T, (value: T) => void];
  };
  htmlEntities: { decodeEntities(html: string): string };
  serverSideRender: Component;
}

const { wp, trousseauEditor: words } = window as unknown as {
  wp: WordPressEditor;
  trousseauEditor: Record<'registry' | 'registryHelp' | 'count' | 'page', string> & {
    /** Pages of owners and guests: name → title. */
    pages: Record<string, string>;
    /** Names of the pages about one registry. */
    ofRegistry: string[];
    /** Block → HTML that shows what it is for. */
    examples: Record<string, string>;
  };
};
const { apiFetch, blocks, blockEditor, components, data, element, htmlEntities, serverSideRender } = wp;
const h = element.createElement;

function edit(name: string, field: (props: Parameters<Edit>[0]) => unknown): Edit {
  return (props) => {
    if (props.attributes.isExample) {
      return h('div', blockEditor.useBlockProps(), h(element.RawHTML, null, words.examples[name]));
    }
    const post = data.select('core/editor')?.getCurrentPostId?.();
    const preview = h(serverSideRender, {
      block: name,
      attributes: props.attributes,
      urlQueryArgs: typeof post === 'number' ? { post_id: post } : {},
    });
    return h(
      'div',
      blockEditor.useBlockProps(),
      h(blockEditor.InspectorControls, null, h(components.PanelBody, null, field(props))),
      h(components.Disabled, null, preview),
    );
  };
}

/** Asks for the registries that someone may choose: the public ones, and those that they look after. */
async function find(query: string): Promise<Registry[]> {
  const path = `/wp/v2/registry?_fields=id,slug,title&per_page=20&${query}`;
  const answers = await Promise.allSettled(
    [path, `${path}&status=publish,private`].map((path) => apiFetch({ path })),
  );
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

function RegistryPicker({ attributes, setAttributes, help }: Parameters<Edit>[0] & { help?: string }) {
  const chosen = attributes.registry ?? '';
  const [typed, setTyped] = element.useState('');
  const [found, setFound] = element.useState<Registry[]>([]);
  element.useEffect(() => {
    let isCurrent = true;
    const look = async () => {
      const queries = [`search=${encodeURIComponent(typed)}`];
      if (chosen) queries.push(`${/^\d+$/.test(chosen) ? 'include' : 'slug'}=${encodeURIComponent(chosen)}`);
      const lists = (await Promise.all(queries.map(find))).flat();
      if (isCurrent) setFound(lists);
    };
    const timer = setTimeout(look, 200);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [typed, chosen]);
  // Whoever chose it before may have typed a number or a slug, also of one that isn't there any more.
  const names = new Map(chosen ? [[chosen, chosen]] : []);
  for (const { id, slug, title } of found) {
    names.set(slug === chosen ? slug : String(id), htmlEntities.decodeEntities(title.rendered));
  }
  return h(components.ComboboxControl, {
    label: words.registry,
    help,
    value: chosen,
    options: [...names].map(([value, label]) => ({ value, label })),
    onFilterValueChange: setTyped,
    onChange: (registry: string | null) => setAttributes({ registry: registry ?? '' }),
  });
}

// A story shows its own registry, whichever it names.
const registryField = (props: Parameters<Edit>[0]) =>
  data.select('core/editor')?.getCurrentPostType?.() === 'registry'
    ? null
    : h(RegistryPicker, { ...props, help: words.registryHelp });

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
  words.ofRegistry.includes(props.attributes.page ?? 'new') &&
    h(RegistryPicker, { ...props, key: 'registry' }),
];

// Everything else about the blocks is registered by the server.
const fields = { registry: registryField, event: registryField, page: pageField, registries: countField };
for (const [name, field] of Object.entries(fields))
  blocks.registerBlockType(`trousseau/${name}`, { edit: edit(`trousseau/${name}`, field), save: () => null });

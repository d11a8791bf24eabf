// The block editor of a registry: who may see it is asked in words before it is published, and is nobody else until then.
// Its author can be anyone with an account.

type Component = (props: never) => unknown;
type Request = { path?: string };
type Attribute = 'status' | 'password';

interface Editor {
  getCurrentPostAttribute(name: Attribute): string | undefined;
  getEditedPostAttribute(name: Attribute): string | undefined;
  isPublishSidebarEnabled(): boolean;
  isPublishSidebarOpened?(): boolean;
}

interface WordPressEditor {
  apiFetch: { use(middleware: (options: Request, next: (options: Request) => unknown) => unknown): void };
  components: { RadioControl: Component };
  data: {
    // biome-ignore lint/suspicious/noExplicitAny: stores of several versions of WordPress
    select(store: string): any;
    dispatch(store: string): { editPost(changes: { status: string }): void };
    subscribe(listener: () => void): void;
    useSelect<T>(read: (select: (store: string) => Editor) => T, dependencies: unknown[]): T;
  };
  editPost?: { PluginPrePublishPanel?: Component };
  editor: { PluginPrePublishPanel?: Component };
  element: { createElement(type: unknown, props?: object | null, ...children: unknown[]): unknown };
  plugins: { registerPlugin(name: string, settings: { render(): unknown }): void };
}

const { wp, trousseauRegistryEditor: words } = window as unknown as {
  wp: WordPressEditor;
  trousseauRegistryEditor: Record<'question' | 'private' | 'public', string>;
};
const { apiFetch, components, data, editor, editPost, element, plugins } = wp;

const store = (): Editor => data.select('core/editor');
const setStatus = (status: string) => data.dispatch('core/editor').editPost({ status });
// Not chosen by anyone: then “Publish” makes it public.
const unsetStatus = () => setStatus(store().getCurrentPostAttribute('status') ?? 'draft');
const isUnpublished = (status = '') => ['auto-draft', 'draft', 'pending'].includes(status);

/** Whether the next press publishes: the panel for it is open, or switched off. */
function isAboutToPublish(): boolean {
  const { isPublishSidebarOpened, isPublishSidebarEnabled } = store();
  const opened = isPublishSidebarOpened ?? data.select('core/edit-post')?.isPublishSidebarOpened;
  return !isPublishSidebarEnabled() || Boolean(opened?.());
}

// A draft stays one until someone is about to publish it, and when they change their mind.
let isAsked = false;
data.subscribe(() => {
  if (!isUnpublished(store().getCurrentPostAttribute('status'))) return;
  if (isAsked === isAboutToPublish()) return;
  isAsked = !isAsked;
  const status = store().getEditedPostAttribute('status');
  if (!isAsked && status === 'private') unsetStatus();
  if (isAsked && isUnpublished(status) && !store().getEditedPostAttribute('password')) setStatus('private');
});

function Question(): unknown {
  const status = data.useSelect((select) => select('core/editor').getEditedPostAttribute('status'), []);
  return element.createElement(components.RadioControl, {
    label: words.question,
    selected: status === 'private' ? 'private' : 'public',
    options: [
      { value: 'private', label: words.private },
      { value: 'public', label: words.public },
    ],
    onChange: (choice: string) => (choice === 'private' ? setStatus('private') : unsetStatus()),
  });
}

const Panel = editor.PluginPrePublishPanel ?? editPost?.PluginPrePublishPanel;
if (Panel) {
  plugins.registerPlugin('trousseau-registry', {
    render: () => element.createElement(Panel, { initialOpen: true }, element.createElement(Question)),
  });
}

apiFetch.use((options, next) => {
  const asksForAuthors = /^\/wp\/v2\/users\?.*\bwho=authors\b/.test(options.path ?? '');
  return next(asksForAuthors ? { ...options, path: `${options.path}&trousseau_owners=1` } : options);
});

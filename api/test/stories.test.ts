// @again postgres workers
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { askHost, startTestService } from './support.ts';

const block = (words: string) =>
  `<!-- wp:paragraph -->\n<p>${words} Ann &amp; Bob</p>\n<!-- /wp:paragraph -->`;

it('a story that the site’s editor wrote stays block markup when a word of it is changed', async () => {
  await using service = await startTestService();
  const { registries } = service.client('alice');
  const { id } = (await registries.create({ title: 'Ann' }))!;
  const onHost = async (method: string, body?: object) => {
    const path = `registry/${id}?context=edit`;
    const answer = await askHost(service.hostUrl, method, path, 'alice', body);
    return ((await answer.json()) as { content: { raw: string } }).content.raw;
  };
  await onHost('POST', { content: block('We met.') });
  const story = (await registries.get(id))!.story;
  assert.equal(story, block('We met.'));
  const changed = await registries.update(id, { story: story.replace('met', 'stayed') });
  assert.equal(changed!.story, block('We stayed.'));
  assert.equal(await onHost('GET'), block('We stayed.'));
});

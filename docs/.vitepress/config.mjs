// The documents as a site, by VitePress and its own theme: bash .ci/site FOLDER.
const repository = 'https://github.com/git-cortex/cortex/blob/main/'
const pages = /^(docs\/(design\/)?[^/]+|[A-Z]+)\.md$/

// What a page links to that is no page of the site is shown by the repository.
function toRepository(md) {
  md.core.ruler.push('repository', ({ tokens, env }) => {
    for (const link of tokens.flatMap((t) => t.children ?? [])) {
      const href = link.type === 'link_open' ? link.attrGet('href') : 'https:'
      if (/^[a-z]+:|^#/.test(href)) continue
      const path = new URL(href, 'file:///' + env.relativePath).pathname.slice(1)
      if (!pages.test(path)) link.attrSet('href', repository + path)
    }
  })
}

export default {
  title: 'Cortex',
  description: 'Memory as code for coding agents',
  srcDir: '..',
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: true,
  markdown: { config: toRepository },
  themeConfig: {
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: 'https://github.com/git-cortex/cortex' }],
    sidebar: [
      { text: 'Begin', items: [
        { text: 'Why', link: '/docs/why' },
        { text: 'The first hour', link: '/docs/solo' },
        { text: 'Your agent', link: '/docs/agents' },
        { text: 'Importing', link: '/docs/import' },
        { text: 'When something is wrong', link: '/docs/troubleshooting' },
      ] },
      { text: 'Together', items: [
        { text: 'In a team', link: '/docs/team' },
        { text: 'Pull requests and CI', link: '/docs/ci' },
        { text: 'Many repositories', link: '/docs/hub' },
      ] },
      { text: 'Look up', items: [
        { text: 'Commands', link: '/docs/commands' },
        { text: 'Settings', link: '/docs/settings' },
        { text: 'JSON', link: '/docs/json' },
        { text: 'The format', link: '/FORMAT' },
        { text: 'Behaviour and thresholds', link: '/docs/behaviour' },
        { text: 'Platforms', link: '/docs/platforms' },
        { text: 'Releases', link: '/docs/release' },
        { text: 'Changes', link: '/CHANGELOG' },
      ] },
      { text: 'Judge', items: [
        { text: 'Threats', link: '/docs/threats' },
        { text: 'Faults', link: '/docs/faults' },
        { text: 'Evaluation', link: '/docs/evaluation' },
        { text: 'Benchmarks', link: '/docs/benchmarks' },
        { text: 'The code', link: '/ARCHITECTURE' },
        { text: 'Contributing', link: '/CONTRIBUTING' },
      ] },
    ],
  },
}
